// Tests of the extension without Visual Studio Code. The build replaces vscode and vscode-languageclient by the modules beside this file.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { failing, started } from "./client";
import { activate, deactivate } from "../src/extension";
import { change, messages, registered, settings } from "./vscode";

const context = { subscriptions: [] as { dispose(): void }[] };

beforeEach(async () => {
  await deactivate();
  context.subscriptions.splice(0).forEach((subscription) => subscription.dispose());
  for (const name of Object.keys(settings)) {
    delete settings[name];
  }
  started.length = 0;
  messages.length = 0;
  failing.message = "";
});

test("starts the server for manifests", async () => {
  await activate(context as never);
  assert.equal(context.subscriptions.length, 2);
  assert.deepEqual(started[0].server, { command: "salint", args: ["lsp"] });
  assert.deepEqual(started[0].options.documentSelector.map((d) => `${d.scheme} ${d.language}`), ["file yaml", "file json", "file helm"]);
  assert.deepEqual(started[0].options.initializationOptions, { target: "", config: "" });
  assert.ok(started[0].running);
  await deactivate();
  assert.ok(!started[0].running);
});

test("uses the settings", async () => {
  Object.assign(settings, { "salint.path": "/opt/salint", "salint.arguments": ["--limits", "x"], "salint.target": "olm-1.11", "salint.config": "c.yaml" });
  await activate(context as never);
  assert.deepEqual(started[0].server, { command: "/opt/salint", args: ["lsp", "--limits", "x"] });
  assert.deepEqual(started[0].options.initializationOptions, { target: "olm-1.11", config: "c.yaml" });
});

test("restarts for another program, and not for settings that the server reads", async () => {
  await activate(context as never);
  await change("salint.target", "olm-1.10");
  assert.equal(started.length, 1);
  await change("salint.path", "/other/salint");
  assert.equal(started.at(-1)?.server.command, "/other/salint");
  assert.deepEqual(started.map((s) => s.running).filter(Boolean), [true]);
  await registered["salint.restart"]();
  assert.deepEqual(started.map((s) => s.running).filter(Boolean), [true]);
});

test("leaves one server after changes that overlap", async () => {
  await activate(context as never);
  await Promise.all([change("salint.path", "/a/salint"), change("salint.arguments", ["--limits", "x"]), registered["salint.restart"]()]);
  assert.deepEqual(started.filter((s) => s.running).map((s) => s.server), [{ command: "/a/salint", args: ["lsp", "--limits", "x"] }]);
});

test("reports a program that cannot be started", async () => {
  failing.message = "spawn salint ENOENT";
  await activate(context as never);
  assert.equal(messages.length, 1);
  assert.match(messages[0], /ENOENT.*Install it, or set salint\.path/);
});
