// Which tools the model sees in a chat: a baseline by profile, and the families that were called there.
import { BoundedMap } from 'agent-harness/lib/values';
import type { RegisteredTool, ToolRow } from './contract.ts';
import type { FamilyEntry, ToolRegistry } from './tool-registry.ts';

export interface ExposureSettings {
  readonly lazy: boolean;
  readonly profile: 'balanced' | 'knowledge_first' | 'max_autonomy';
}

/** A family with those of its tools that are not seen. */
export interface UnseenFamily extends FamilyEntry {
  readonly isPartlySeen: boolean;
}

/** What a chat sees; the same object as long as it is the same. */
export interface SeenTools {
  readonly shown: readonly RegisteredTool[];
  readonly hidden: readonly UnseenFamily[];
}

export interface Exposure {
  seen(chatId: string): SeenTools;
  isVisible(tool: RegisteredTool, chatId: string | undefined): boolean;
  /** Families with only their tools that are not in the baseline, the same object as long as they are the same. Those with a finder are left out. */
  families(): readonly UnseenFamily[];
  rows(chatId?: string): ToolRow[];
  /** Nothing for a family that has a finder: its tools are described in what the finder answers. */
  reveal(chatId: string, family: string): void;
  forget(chatId: string): void;
}

const rememberedChats = 100;

/** @param settings read at each use */
export function createExposure(tools: ToolRegistry, settings: ExposureSettings): Exposure {
  const revealed = new Map<string, Set<string>>();
  // Both are asked for in every round, and changed only when a plugin comes or goes, a setting does, or a family is called.
  const seen = new BoundedMap<string, { readonly basis: readonly unknown[]; readonly seen: SeenTools }>(rememberedChats);
  let baseline: ({ all: readonly FamilyEntry[]; unseen: readonly UnseenFamily[] } & ExposureSettings) | undefined;

  function isBaseline(tool: RegisteredTool): boolean {
    if (!settings.lazy || settings.profile === 'max_autonomy' || tool.isEveryday === true) return true;
    return settings.profile === 'knowledge_first' && tool.traits.includes('knowledge');
  }

  function isVisible(tool: RegisteredTool, chatId: string | undefined): boolean {
    // Hundreds of schemas in one request are refused by providers, whatever the settings ask for.
    if (tools.finderOf(tool.family) !== undefined) return false;
    return isBaseline(tool) || (chatId !== undefined && revealed.get(chatId)?.has(tool.family) === true);
  }

  function unseen(chatId: string | undefined): readonly UnseenFamily[] {
    return (
      tools
        .families()
        .filter((family) => tools.finderOf(family.name) === undefined)
        .map((family) => ({ family, hidden: family.tools.filter((tool) => !isVisible(tool, chatId)) }))
        .filter(({ hidden }) => hidden.length > 0)
        // What a family is for shows in those of its tools that are seen.
        .map(({ family, hidden }) => ({ ...family, tools: hidden, isPartlySeen: hidden.length < family.tools.length }))
    );
  }

  return {
    seen(chatId) {
      const basis = [tools.all(), tools.families(), settings.lazy, settings.profile, revealed.get(chatId)?.size ?? 0];
      const known = seen.get(chatId);
      if (known && basis.every((part, at) => part === known.basis[at])) return known.seen;
      const now = { shown: tools.all().filter((tool) => isVisible(tool, chatId)), hidden: unseen(chatId) };
      seen.set(chatId, { basis, seen: now });
      return now;
    },
    isVisible,
    families() {
      const [all, { lazy, profile }] = [tools.families(), settings];
      if (baseline?.all !== all || baseline.lazy !== lazy || baseline.profile !== profile) baseline = { all, lazy, profile, unseen: unseen(undefined) };
      return baseline.unseen;
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
    reveal(chatId, family) {
      if (tools.finderOf(family) !== undefined) return;
      const families = revealed.get(chatId) ?? new Set();
      revealed.set(chatId, families.add(family));
    },
    forget(chatId) {
      revealed.delete(chatId);
      seen.delete(chatId);
    },
  };
}
