// Stands in for the server where there is none: takes the sections of replies.
import type { ReplySection } from 'agent-harness/plugins/http';

/** Owns the point; answers what the sections of a route say together. */
export function takeSections(registry: any): (route: string) => Promise<object> {
  const sections = new Set<ReplySection>();
  registry.point('reply_section', { added: (one: ReplySection) => void sections.add(one), removed: (one: ReplySection) => void sections.delete(one) });
  return async (route) => {
    const asked = [...sections].filter((one) => one.route === route);
    return Object.assign({}, ...(await Promise.all(asked.map(async (one) => one.read({} as never)))));
  };
}
