// The hooks and services that an isolated plugin may use, each with the sentence that a person approves. Everything else is refused.

/** Hook → what a tap of it comes to. Hooks that decide approvals, choose models or carry credentials are not in the list. */
const hooks: Readonly<Record<string, string>> = {
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

/** Service → its methods, and what calls of them come to. */
const services: Readonly<Record<string, { readonly methods: readonly string[]; readonly sentence: string }>> = {
  chats: { methods: ['list', 'get', 'peek', 'transcript', 'search'], sentence: 'It reads all your chats.' },
  notes: { methods: ['remember', 'find', 'recall', 'newest', 'changes', 'content'], sentence: 'It reads your notes, and adds notes.' },
};

/** Names, for the documentation. */
export const isolatedHooks: readonly string[] = Object.keys(hooks);
export const isolatedMethods: readonly string[] = Object.entries(services).flatMap(([name, { methods }]) => methods.map((method) => `${name}.${method}`));

export const describeHook = (hook: string): string => entryOf(hooks, hook) ?? `It uses '${hook}'.`;
export const describeService = (service: string): string => entryOf(services, service)?.sentence ?? `It uses '${service}'.`;

/** Throws, with what to do, for a hook that an isolated plugin may not tap. */
export function refuseForeignHook(hook: string): void {
  if (entryOf(hooks, hook) === undefined) throw new Error(`it taps the hook '${hook}', which an isolated plugin cannot. ${remedy} ${listOf(hooks)}`);
}

/** Throws, with what to do, for a service that an isolated plugin may not use. */
export function refuseForeignService(service: string): void {
  if (entryOf(services, service) === undefined) {
    throw new Error(`it uses the service '${service}', which an isolated plugin cannot. ${remedy} ${listOf(services)}`);
  }
}

/** Throws for a method that an isolated plugin may not call. @param path names from the service on */
export function refuseForeignMethod(service: string, path: readonly string[]): void {
  const { methods = [] } = entryOf(services, service) ?? {};
  if (path.length === 1 && methods.includes(path[0] ?? '')) return;
  throw new Error(
    `'${[service, ...path].join('.')}' is not available to an isolated plugin. Available methods of '${service}': ${methods.join(', ') || 'none'}.`,
  );
}

const remedy = "Remove it, or set isolation: 'process' in the manifest.";
const listOf = (known: object): string => `Available: ${Object.keys(known).join(', ')}.`;

function entryOf<T>(known: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
