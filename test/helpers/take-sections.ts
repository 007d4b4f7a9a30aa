// Collects reply sections in place of the HTTP server.
import type { ReplySection } from 'agent-harness/plugins/http';

/** Owns the contribution point. The returned function merges the sections of a route. */
export function takeSections(registry: any): (route: string) => Promise<object> {
  const sections = new Set<ReplySection>();
  registry.point('reply_section', { added: (one: ReplySection) => void sections.add(one), removed: (one: ReplySection) => void sections.delete(one) });
  return async (route) => {
    const asked = [...sections].filter((one) => one.route === route);
    return Object.assign({}, ...(await Promise.all(asked.map(async (one) => one.read({} as never)))));
  };
}
