// What the extension uses of Visual Studio Code, for tests: settings, commands, messages, and changes of settings.

export const settings: Record<string, unknown> = {};
export const registered: Record<string, () => Promise<void>> = {};
export const messages: string[] = [];
const listeners: ((change: { affectsConfiguration(section: string): boolean }) => Promise<void>)[] = [];

export const commands = {
  registerCommand(name: string, run: () => Promise<void>) {
    registered[name] = run;
    return { dispose() {} };
  },
};

export const workspace = {
  getConfiguration: (section: string) => ({
    get: (name: string, otherwise: unknown) => settings[`${section}.${name}`] ?? otherwise,
  }),
  onDidChangeConfiguration(listener: (typeof listeners)[number]) {
    listeners.push(listener);
    return { dispose: () => void listeners.splice(listeners.indexOf(listener), 1) };
  },
};

export const window = {
  async showErrorMessage(message: string) {
    messages.push(message);
  },
};

/** Changes a setting, and waits until the extension has handled it. */
export async function change(name: string, value: unknown): Promise<void> {
  settings[name] = value;
  await Promise.all(listeners.map((listener) => listener({ affectsConfiguration: (section) => section === name })));
}
