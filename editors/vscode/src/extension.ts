import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Starts the server, and restarts it when its program or its arguments change. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("salint.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("salint.path") || change.affectsConfiguration("salint.arguments")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

// Settings can change again while the server restarts: restarts wait for each other, so that one server is left.
let restarts: Promise<void> = Promise.resolve();

function restart(): Promise<void> {
  restarts = restarts.then(async () => {
    await deactivate();
    await start();
  });
  return restarts;
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("salint");
  const server: ServerOptions = {
    command: settings.get<string>("path", "salint"),
    args: ["lsp", ...settings.get<string[]>("arguments", [])],
  };
  const options: LanguageClientOptions = {
    documentSelector: ["yaml", "json", "helm"].map((language) => ({ scheme: "file", language })),
    synchronize: { configurationSection: "salint" },
    initializationOptions: { target: settings.get("target", ""), config: settings.get("config", "") },
  };
  const started = new LanguageClient("salint", "salint", server, options);
  client = started;
  try {
    await started.start();
  } catch (error) {
    void vscode.window.showErrorMessage(
      `salint cannot be started: ${error}. Install it, or set salint.path to the program (https://github.com/salint/salint#install).`,
    );
  }
}
