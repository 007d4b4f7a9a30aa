// Adds plugins' fields to the replies of other plugins' routes; omits sections that fail.
import type { KernelControl, Logger, PointHandler } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { ReplySection, Route, RouteContext } from 'agent-harness/plugins/http';
import type { OwnedRoute } from './route-table.ts';

export interface ReplySections {
  readonly point: PointHandler<ReplySection>;
  /** Returns the reply schema including the sections; the same object until a section is added or removed. */
  schemaOf(route: Route): Route['schema']['reply'];
  /** Returns the reply with its sections. Omits a section that fails or takes too long, and logs the name of its plugin. */
  fill(route: Route, reply: unknown, context: RouteContext): Promise<unknown>;
}

interface Owned {
  readonly section: ReplySection;
  readonly owner: string;
}

/** Time limit of each section, in milliseconds. */
const limitMs = 3_000;

export function createReplySections(routes: { all(): readonly OwnedRoute[] }, kernel: Pick<KernelControl, 'runAs'>, log: Logger): ReplySections {
  const byRoute = new Map<string, readonly Owned[]>();
  const schemas = new WeakMap<Route, Route['schema']['reply']>();

  const of = ({ route }: Pick<ReplySection, 'route'>): readonly Owned[] => byRoute.get(route) ?? [];

  function replace(key: string, sections: readonly Owned[]): void {
    byRoute.set(key, sections);
    for (const { route } of routes.all()) if (route.key === key) schemas.delete(route);
  }

  async function read({ section, owner }: Owned, context: RouteContext): Promise<object> {
    try {
      const reading = kernel.runAs(owner, async (): Promise<object> => section.read(context), 'reply section');
      const answer = await withLimit<object, never>(reading, limitMs, () => {
        throw new Error(`the section took longer than ${limitMs} ms`);
      });
      return Object.fromEntries(Object.entries(answer).filter(([field]) => field in propertiesOf(section.fields)));
    } catch (fault) {
      log.warn(`the section '${section.name}' of plugin '${owner}' is left out of ${section.route}: ${messageOf(fault)}`);
      return {};
    }
  }

  return {
    point: {
      validate(section, owner) {
        const { name, route: key, fields } = section;
        if (typeof fields?.properties !== 'object' || typeof section.read !== 'function')
          return `the section '${name}' needs fields, as an object schema, and a function read.`;
        const rivals = section.standsIn ? [] : of(section).filter((one) => !one.section.standsIn);
        const given = rivals.map((one) => ({ owner: one.owner, fields: one.section.fields }));
        const own = routes.all().flatMap((one) => (one.route.key === key && !section.standsIn ? [{ owner: one.owner, fields: one.route.schema.reply }] : []));
        for (const other of [...own, ...given]) {
          const twice = Object.keys(fields.properties).find((field) => field in propertiesOf(other.fields));
          if (twice !== undefined) return `plugin '${other.owner}' already adds the field '${twice}' to ${key}; rename the field of plugin '${owner}'.`;
        }
        return undefined;
      },
      // Later sections override earlier ones, so fallback sections come first.
      added: (section, owner) => replace(section.route, section.standsIn ? [{ section, owner }, ...of(section)] : [...of(section), { section, owner }]),
      removed: (section) =>
        replace(
          section.route,
          of(section).filter((one) => one.section !== section),
        ),
    },
    schemaOf(route) {
      const { reply } = route.schema;
      const sections = of({ route: route.key });
      if (!route.takesSections || sections.length === 0) return reply;
      let schema = schemas.get(route);
      if (!schema)
        schemas.set(
          route,
          (schema = compose(
            reply,
            sections.map(({ section }) => section.fields),
          )),
        );
      return schema;
    },
    async fill(route, reply, context) {
      const sections = route.takesSections ? of({ route: route.key }) : [];
      if (sections.length === 0) return reply;
      return Object.assign({}, ...(await Promise.all(sections.map((one) => read(one, context)))), reply) as object;
    },
  };
}

const propertiesOf = (schema: unknown): object => (schema as { readonly properties?: object } | undefined)?.properties ?? {};

function compose(reply: object | undefined, sections: readonly object[]): Route['schema']['reply'] {
  const schemas = [...sections, ...(reply ? [reply] : [])];
  const required = new Set(schemas.flatMap((schema) => (schema as { readonly required?: readonly string[] }).required ?? []));
  return { ...(reply ?? sections[0]), properties: Object.assign({}, ...schemas.map(propertiesOf)) as object, required: [...required] };
}
