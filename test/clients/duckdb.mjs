// Sums over JSON reports, counted by DuckDB: node duckdb.mjs REPORTS. DUCKDB is the folder in which @duckdb/node-api is installed.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.env.DUCKDB, 'index.js'));
const { DuckDBInstance } = require('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const reports = `read_json('${path.join(process.argv[2], '*.json')}', maximum_object_size = 268435456, union_by_name = true)`;
await connection.run(`CREATE TABLE findings AS SELECT source.repository AS repository, unnest(findings) AS f FROM ${reports}`);
await connection.run(`CREATE TABLE extensions AS SELECT source.repository AS repository, unnest(extensions) AS e FROM ${reports}`);
const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();
await connection.run(`CREATE TABLE open AS SELECT repository, f.severity AS severity, f.target AS target, f.rule AS rule, f.fix.kind AS kind
  FROM findings WHERE f.fix IS NULL OR NOT f.fix.applied`);
console.log(JSON.stringify({
  severities: await rows('SELECT severity, count(*) FROM open GROUP BY severity ORDER BY severity'),
  fixes: await rows('SELECT kind, count(*) FROM open WHERE kind IS NOT NULL GROUP BY kind ORDER BY kind'),
  counts: await rows('SELECT repository, target, rule, count(*) FROM open GROUP BY repository, target, rule ORDER BY repository, target, rule'),
  extensions: await rows('SELECT repository, e.target AS target, count(*) FROM extensions GROUP BY repository, e.target ORDER BY repository, target'),
  admins: await rows("SELECT count(*) FROM open WHERE rule IN ('rbac/cluster-admin-grant', 'olm/cluster-admin-grant')"),
}));
