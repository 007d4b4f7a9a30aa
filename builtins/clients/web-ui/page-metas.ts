// Implements the contribution point `page_meta`: collects the values that plugins add to the page for its first rendering.
import type { KernelControl, Logger, PointHandler } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { PageMeta } from './contract.ts';

export interface PageMetas {
  readonly point: PointHandler<PageMeta>;
  /** Returns the current content of each tag, by name. */
  read(): Promise<Readonly<Record<string, string>>>;
}

/** Time limit in milliseconds; short, because the user who opens the page is waiting. */
const limitMs = 1_000;

export function createPageMetas(kernel: Pick<KernelControl, 'runAs'>, log: Logger): PageMetas {
  const metas = new Map<string, { readonly meta: PageMeta; readonly owner: string }>();

  async function contentOf({ meta, owner }: { readonly meta: PageMeta; readonly owner: string }): Promise<string | undefined> {
    try {
      const reading = kernel.runAs(owner, async () => meta.content());
      return await withLimit<string | undefined, never>(reading, limitMs, () => {
        throw new Error(`it took longer than ${limitMs} ms`);
      });
    } catch (fault) {
      log.warn(`the meta tag '${meta.name}' of plugin '${owner}' is left out of the page: ${messageOf(fault)}`);
      return undefined;
    }
  }

  return {
    point: {
      validate({ name, content }) {
        if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || typeof content !== 'function')
          return `the meta tag '${name}' needs a name in kebab-case and a function content.`;
        return metas.has(name) ? `a meta tag '${name}' already exists.` : undefined;
      },
      added: (meta, owner) => void metas.set(meta.name, { meta, owner }),
      removed: ({ name }) => void metas.delete(name),
    },
    async read() {
      const found = await Promise.all([...metas].map(async ([name, one]) => [name, await contentOf(one)] as const));
      return Object.fromEntries(found.flatMap(([name, content]) => (content === undefined ? [] : [[name, content]])));
    },
  };
}
