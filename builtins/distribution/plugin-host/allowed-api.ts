// Defines the hooks and services that an isolated plugin may use, each with the description that the user approves. All others are refused.

/** Allowed hooks with a description of what a tap may do. Hooks that decide approvals, choose models or carry credentials are excluded. */
const allowedHooks: Readonly<Record<string, string>> = {
  'app.start': 'It runs when the server starts.',
  'app.stop': 'It runs when the server stops.',
  'chat.close': 'It runs when a chat is closed.',
  'message.before': 'It runs before each message.',
  'prompt.build': 'It reads and changes the instructions that the model gets.',
  'round.after': 'It reads your messages after each request to the model.',
  'round.before': 'It reads your messages before each request to the model.',
  'session.reset': 'It runs when a conversation is reset.',
  'tool.after': 'It reads all tool calls, and changes their results.',
  'tool.before': 'It reads all tool calls, and may refuse them.',
  'turn.after': 'It reads your messages after each turn.',
  'turn.before': 'It reads your messages before each turn.',
};

/** Allowed methods by service, with a description of what calling them may do. */
const allowedServices: Readonly<Record<string, { readonly methods: readonly string[]; readonly sentence: string }>> = {
  chats: { methods: ['list', 'get', 'peek', 'transcript', 'search'], sentence: 'It reads all your chats.' },
  notes: { methods: ['remember', 'find', 'recall', 'newest', 'changes', 'content'], sentence: 'It reads your notes, and adds notes.' },
};

/** Names of the allowed hooks and methods, for the documentation. */
export const isolatedHooks: readonly string[] = Object.keys(allowedHooks);
export const isolatedMethods: readonly string[] = Object.entries(allowedServices).flatMap(([name, { methods }]) =>
  methods.map((method) => `${name}.${method}`),
);

const entryOf = <T>(known: Readonly<Record<string, T>>, name: string): T | undefined => (Object.hasOwn(known, name) ? known[name] : undefined);

export const describeHook = (hook: string): string => entryOf(allowedHooks, hook) ?? `It uses '${hook}'.`;
export const describeService = (service: string): string => entryOf(allowedServices, service)?.sentence ?? `It uses '${service}'.`;

/** Throws an error with a remedy for a hook or a service that an isolated plugin may not use. */
export function refuseUnlisted(hooks: readonly string[], services: readonly string[]): void {
  const refuse = (names: readonly string[], known: object, what: string): void => {
    const name = names.find((one) => !Object.hasOwn(known, one));
    if (name === undefined) return;
    const remedy = "Remove it, or set isolation: 'process' in the manifest.";
    throw new Error(`it ${what} '${name}', which an isolated plugin cannot. ${remedy} Available: ${Object.keys(known).join(', ')}.`);
  };
  refuse(hooks, allowedHooks, 'taps the hook');
  refuse(services, allowedServices, 'uses the service');
}

/** Throws for a method that an isolated plugin may not call. @param path property names, starting below the service */
export function refuseForeignMethod(service: string, path: readonly string[]): void {
  const { methods = [] } = entryOf(allowedServices, service) ?? {};
  if (path.length === 1 && methods.includes(path[0] ?? '')) return;
  const available = methods.join(', ') || 'none';
  throw new Error(`'${[service, ...path].join('.')}' is not available to an isolated plugin. Available methods of '${service}': ${available}.`);
}
