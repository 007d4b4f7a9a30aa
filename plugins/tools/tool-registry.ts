// Registers the contributed tools and families: rejects invalid ones, and finds them by name.
import type { PointHandler } from 'agent-harness/kernel';
import type { RegisteredTool, Tool, ToolFamily, ToolTrait } from './contract.ts';

export interface FamilyEntry {
  readonly name: string;
  readonly description: string;
  /** Tools of the family, sorted by name. */
  readonly tools: readonly RegisteredTool[];
}

export interface ToolRegistry {
  readonly toolPoint: PointHandler<Tool>;
  readonly familyPoint: PointHandler<ToolFamily>;
  find(name: string): RegisteredTool | undefined;
  /** Returns the alphabetically first name of a tool with a trait. */
  nameWith(trait: ToolTrait): string | undefined;
  /** Returns all tools, sorted by name. */
  all(): readonly RegisteredTool[];
  /** Returns the families, sorted by name; a tool without a contributed family belongs to its plugin's family. */
  families(): readonly FamilyEntry[];
  /** Returns the finder of a family; `undefined` for a family that the prompt lists. */
  finderOf(family: string): string | undefined;
}

/** Matches valid tool names. Names of this product are in snake_case; third-party names may have capitals. */
const toolName = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;
const familyName = /^[a-z][a-z0-9_-]{0,63}$/;
const effectNames = ['read', 'write', 'execute', 'network', 'external'];

export function createToolRegistry(): ToolRegistry {
  const byName = new Map<string, RegisteredTool>();
  const familyTexts = new Map<string, { readonly owner: string; readonly description: string; readonly finder: string | undefined }>();
  // Cached: each round reads the sorted lists, which change only when a plugin is added or removed.
  let sorted: readonly RegisteredTool[] | undefined;
  let grouped: readonly FamilyEntry[] | undefined;

  function put(tool: RegisteredTool): void {
    byName.set(tool.name, tool);
    sorted = grouped = undefined;
  }

  function drop(names: readonly string[]): void {
    for (const name of names) byName.delete(name);
    sorted = grouped = undefined;
  }

  function whyTaken(name: string, owner: string): string | undefined {
    const taken = byName.get(name);
    return taken && `tool '${name}' is already contributed by plugin '${taken.plugin}'; rename the tool of plugin '${owner}', or disable one of the plugins.`;
  }

  return {
    toolPoint: {
      validate: (tool, owner) => whyInvalid(tool) ?? whyWithoutCode(tool) ?? whyTaken(tool.name, owner),
      added: (tool, owner) => put(withOwner(tool, tool.family ?? owner, owner)),
      removed: (tool) => drop([tool.name]),
    },
    familyPoint: {
      validate(family, owner) {
        const first = familyTexts.get(family.name);
        if (first) return `tool family '${family.name}' is already contributed by plugin '${first.owner}'; rename the family of plugin '${owner}'.`;
        return whyFamilyInvalid(family) ?? firstOf(family.tools, (tool) => whyInvalid(tool) ?? whyTaken(tool.name, owner));
      },
      added(family, owner) {
        const { finder } = family;
        familyTexts.set(family.name, { owner, description: family.description, finder });
        for (const tool of family.tools) put(withOwner(tool, family.name, owner, { load: () => loadFrom(family, tool.name), traits: family.traits ?? [] }));
      },
      removed(family) {
        familyTexts.delete(family.name);
        drop(family.tools.map((tool) => tool.name));
      },
    },
    find: (name) => byName.get(name),
    nameWith(trait) {
      return this.all().find(({ traits }) => traits.includes(trait))?.name;
    },
    all: () => (sorted ??= [...byName.values()].sort((left, right) => compare(left.name, right.name))),
    finderOf: (family) => familyTexts.get(family)?.finder,
    families() {
      return (grouped ??= groupByFamily(this.all(), (name) => familyTexts.get(name)?.description));
    },
  };
}

function groupByFamily(tools: readonly RegisteredTool[], describe: (name: string) => string | undefined): FamilyEntry[] {
  const groups = new Map<string, RegisteredTool[]>();
  for (const tool of tools) {
    const group = groups.get(tool.family);
    if (group) group.push(tool);
    else groups.set(tool.family, [tool]);
  }
  return [...groups].sort(([left], [right]) => compare(left, right)).map(([name, own]) => ({ name, description: describe(name) ?? '', tools: own }));
}

/** Adds the fields of the owner, which the tool cannot override. Does not evaluate an input that is computed on first use (a getter). */
function withOwner(tool: Tool, family: string, plugin: string, ofFamily?: Required<Pick<Tool, 'load' | 'traits'>>): RegisteredTool {
  const base = hasLazyInput(tool) ? (Object.create(tool) as Tool) : { ...tool };
  const effects = tool.effects === undefined ? {} : { effects: Object.freeze([...tool.effects]) };
  const traits = Object.freeze([...(tool.traits ?? []), ...(ofFamily?.traits ?? [])]);
  const code = ofFamily ? { load: ofFamily.load, run: undefined } : {};
  return Object.freeze(Object.assign(base, { family, plugin, traits, ...effects, ...code }) as RegisteredTool);
}

function hasLazyInput(tool: Omit<Tool, 'run' | 'load'>): boolean {
  return Object.getOwnPropertyDescriptor(tool, 'input')?.get !== undefined;
}

async function loadFrom(family: ToolFamily, name: string): Promise<NonNullable<Tool['run']>> {
  const code = await family.load();
  const run = Object.hasOwn(code, name) ? code[name] : undefined;
  if (!run) throw new Error(`family '${family.name}' has no code for '${name}'`);
  return run;
}

/** Returns the reason, as a sentence, if a tool is invalid. Validates the tool at run time, because plugins may be plain JavaScript. */
function whyInvalid(tool: Omit<Tool, 'run' | 'load'>): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'a tool must be an object.';
  if (typeof tool.name !== 'string' || !toolName.test(tool.name))
    return `'${String(tool.name)}' is not a valid tool name; use snake_case with at most 64 characters.`;
  if (typeof tool.description !== 'string' || tool.description.trim() === '') return `tool '${tool.name}' needs a description.`;
  if (tool.family !== undefined && !familyName.test(tool.family))
    return `tool '${tool.name}' has the family '${tool.family}', which is not a valid lower-case name.`;
  if (!hasLazyInput(tool) && !isObjectSchema(tool.input)) return `tool '${tool.name}' needs an input that is a JSON Schema of type object.`;
  const unknown = tool.effects?.find((effect) => !effectNames.includes(effect));
  if (unknown !== undefined) return `tool '${tool.name}' declares the effect '${unknown}'; effects are ${effectNames.join(', ')}.`;
  if (tool.timeoutMs !== undefined && !(tool.timeoutMs >= 0)) return `tool '${tool.name}' has a timeoutMs that is no number from 0 up.`;
  return undefined;
}

function whyWithoutCode(tool: Tool): string | undefined {
  const given = [tool.run, tool.load].filter((code) => code !== undefined);
  if (given.length === 1 && typeof given[0] === 'function') return undefined;
  return `tool '${tool.name}' must have exactly one of the functions run and load.`;
}

function whyFamilyInvalid(family: ToolFamily): string | undefined {
  if (typeof family.name !== 'string' || !familyName.test(family.name)) return `'${String(family.name)}' is not a valid name of a tool family; use lower case.`;
  if (typeof family.load !== 'function') return `tool family '${family.name}' needs a function load.`;
  if (!Array.isArray(family.tools) || family.tools.length === 0) return `tool family '${family.name}' needs a list of tools.`;
  const { finder } = family;
  if (finder !== undefined && !toolName.test(String(finder))) return `tool family '${family.name}' has a finder that is no tool name.`;
  const seen = new Set<string>();
  const twice = (family.tools as ToolFamily['tools']).map((tool) => tool.name).find((name) => seen.size === seen.add(name).size);
  return twice === undefined ? undefined : `tool family '${family.name}' lists '${twice}' twice.`;
}

function isObjectSchema(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'type' in input && input.type === 'object';
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Compares names by code units, so the order is the same on every machine, regardless of the locale. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
