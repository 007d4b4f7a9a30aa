// Implements the sandbox as a lazy proxy, which loads the code with the first command.
import type { Product } from 'agent-harness/plugins/storage';
import type { PrivateTmp } from './private-tmp.ts';
import type { Sandbox, SandboxMode } from './sandbox.ts';

export interface LazySandbox extends Sandbox {
  /** Returns the path of the folder that is `/tmp` for the commands of a chat. */
  tmpOf(chatId: string): Promise<string>;
  /** Deletes the private /tmp folder of one chat or of all chats. */
  clear(chatId?: string): Promise<void>;
}

export interface LazySandboxParts {
  /** Returns the current mode; called for each command. */
  mode(): SandboxMode;
  readonly product: Product;
  onMissing(why: string): void;
}

export function createLazySandbox({ mode, product, onMissing }: LazySandboxParts): LazySandbox {
  let made: Promise<Sandbox & { readonly tmp: PrivateTmp }> | undefined;

  async function make(): Promise<Sandbox & { readonly tmp: PrivateTmp }> {
    const [{ createSandbox }, { createPrivateTmp }] = await Promise.all([import('./sandbox.ts'), import('./private-tmp.ts')]);
    const tmp = createPrivateTmp(product.name);
    return { tmp, ...createSandbox({ mode, home: product.home, tmp, onMissing }) };
  }

  return {
    sandboxFor: async (command) => (await (made ??= make())).sandboxFor(command),
    whyNone: async (workspace) => (await (made ??= make())).whyNone(workspace),
    tmpOf: async (chatId) => (await (await (made ??= make())).tmp.of(chatId)).tmp,
    async clear(chatId) {
      await (await made)?.tmp.remove(chatId);
    },
  };
}
