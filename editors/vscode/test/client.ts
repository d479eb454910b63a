// A language client that records how it is started, for tests.

export interface Started {
  server: { command: string; args: string[] };
  options: { documentSelector: { scheme: string; language: string }[]; initializationOptions: unknown };
  running: boolean;
}

export const started: Started[] = [];
export const failing = { message: "" };

export class LanguageClient {
  private readonly record: Started;

  constructor(_id: string, _name: string, server: Started["server"], options: Started["options"]) {
    this.record = { server, options, running: false };
    started.push(this.record);
  }

  async start(): Promise<void> {
    if (failing.message !== "") {
      throw new Error(failing.message);
    }
    this.record.running = true;
  }

  async stop(): Promise<void> {
    this.record.running = false;
  }
}
