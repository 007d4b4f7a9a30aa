// Selects the tools that the requests of a chat contain: a baseline by profile, and the families whose tools the chat has called.
import { BoundedMap } from '#lib/values';
import type { RegisteredTool, ToolRow } from './contract.ts';
import type { FamilyEntry, ToolRegistry } from './tool-registry.ts';

export interface ExposureSettings {
  readonly lazy: boolean;
  readonly profile: 'balanced' | 'knowledge_first' | 'max_autonomy';
}

/** A family with its tools that are hidden from the requests of a chat. */
export interface UnseenFamily extends FamilyEntry {
  readonly isPartlySeen: boolean;
}

/** The tools in the requests of a chat; the same object until they change. */
export interface SeenTools {
  readonly shown: readonly RegisteredTool[];
  readonly hidden: readonly UnseenFamily[];
}

export interface Exposure {
  seen(chatId: string): SeenTools;
  isVisible(tool: RegisteredTool, chatId: string | undefined): boolean;
  /** Returns the families with tools outside the baseline, without families that have a finder; the same object until they change. */
  families(): readonly UnseenFamily[];
  rows(chatId?: string): ToolRow[];
  /** Adds a family to the requests of a chat. No effect for a family with a finder, which describes its tools itself. */
  reveal(chatId: string, family: string): void;
  forget(chatId: string): void;
}

const rememberedChats = 100;

/** Creates the tool selector. @param settings live values of the settings */
export function createExposure(tools: ToolRegistry, settings: ExposureSettings): Exposure {
  const revealed = new Map<string, Set<string>>();
  // Caches the baseline and the visible tools: each round reads them, but they change only with the plugins, the settings or the revealed families.
  const seen = new BoundedMap<string, { readonly basis: readonly unknown[]; readonly seen: SeenTools }>(rememberedChats);
  let baseline: ({ all: readonly FamilyEntry[]; unseen: readonly UnseenFamily[] } & ExposureSettings) | undefined;

  function isBaseline(tool: RegisteredTool): boolean {
    if (!settings.lazy || settings.profile === 'max_autonomy' || tool.isEveryday === true) return true;
    return settings.profile === 'knowledge_first' && tool.traits.includes('knowledge');
  }

  function isVisible(tool: RegisteredTool, chatId: string | undefined): boolean {
    // Providers reject requests with hundreds of schemas, regardless of the settings.
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
        // The visible tools already show the purpose of their family.
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
