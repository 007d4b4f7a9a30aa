// Which tools the model sees in a chat: a baseline by profile, the families that were called there, and single tools that were found.
import type { RegisteredTool, ToolRow } from './contract.ts';
import type { FamilyEntry, ToolRegistry } from './tool-registry.ts';

export interface ExposureSettings {
  readonly lazy: boolean;
  readonly profile: 'balanced' | 'knowledge_first' | 'max_autonomy';
}

export interface Exposure {
  isVisible(tool: RegisteredTool, chatId: string | undefined): boolean;
  /** Families with only their tools that this chat does not see; without a chat: that are not in the baseline. Those with a finder are left out. */
  families(chatId?: string): readonly FamilyEntry[];
  rows(chatId?: string): ToolRow[];
  /** A family, or a single tool of a family that has a finder. */
  reveal(chatId: string, name: string): void;
  forget(chatId: string): void;
}

const knowledgeFamilies: readonly string[] = ['memory', 'vault', 'web'];

/** How many found tools a chat sees at most; the oldest ones go. Each may bring kilobytes of schema into every request. */
const foundTools = 40;

/** @param settings read at each use */
export function createExposure(tools: ToolRegistry, settings: ExposureSettings): Exposure {
  const revealed = new Map<string, Set<string>>();
  const found = new Map<string, Set<string>>();

  function isBaseline(tool: RegisteredTool): boolean {
    // Hundreds of schemas in one request are refused by providers, whatever the settings ask for.
    if (tools.finderOf(tool.family) !== undefined) return false;
    if (!settings.lazy || settings.profile === 'max_autonomy' || tool.isEveryday === true) return true;
    return settings.profile === 'knowledge_first' && knowledgeFamilies.includes(tool.family);
  }

  function isVisible(tool: RegisteredTool, chatId: string | undefined): boolean {
    if (isBaseline(tool)) return true;
    if (chatId === undefined) return false;
    return tools.finderOf(tool.family) === undefined ? revealed.get(chatId)?.has(tool.family) === true : found.get(chatId)?.has(tool.name) === true;
  }

  function showFound(chatId: string, name: string): void {
    const names = found.get(chatId) ?? new Set<string>();
    names.delete(name);
    names.add(name);
    for (const oldest of names) {
      if (names.size <= foundTools) break;
      names.delete(oldest);
    }
    found.set(chatId, names);
  }

  return {
    isVisible,
    families(chatId) {
      return tools
        .families()
        .filter((family) => tools.finderOf(family.name) === undefined)
        .map((family) => ({ ...family, tools: family.tools.filter((tool) => !isVisible(tool, chatId)) }))
        .filter((family) => family.tools.length > 0);
    },
    rows(chatId) {
      return tools.all().map((tool) => ({
        name: tool.name,
        family: tool.family,
        plugin: tool.plugin,
        description: tool.description,
        effects: tool.effects ?? [],
        visible: isVisible(tool, chatId),
      }));
    },
    reveal(chatId, name) {
      const tool = tools.find(name);
      if (tool && tools.finderOf(tool.family) !== undefined) showFound(chatId, name);
      const families = revealed.get(chatId) ?? new Set();
      revealed.set(chatId, families.add(name));
    },
    forget(chatId) {
      revealed.delete(chatId);
      found.delete(chatId);
    },
  };
}
