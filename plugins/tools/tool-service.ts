// The service `tools`: one object over the registry, what chats see, the check and the runner.
import type { CheckedCall, Tools } from './contract.ts';
import type { ArgumentCheck } from './argument-check.ts';
import type { Exposure } from './exposure.ts';
import { createModelSpecs } from './model-spec.ts';
import type { ToolRegistry } from './tool-registry.ts';

export function createToolService(registry: ToolRegistry, exposure: Exposure, check: ArgumentCheck, run: Tools['run']): Tools {
  /** A tool that is only found may be called unseen: where its arguments do not fit, its finder describes it. */
  function withFinder(name: string, checked: CheckedCall): CheckedCall {
    const tool = checked.ok ? undefined : registry.find(name);
    const finder = tool && registry.finderOf(tool.family);
    if (checked.ok || finder === undefined) return checked;
    return { ...checked, hint: `${checked.hint ?? 'Call it again with corrected arguments.'} ${finder} describes it in full.` };
  }

  function meant(checked: CheckedCall, fills: boolean): CheckedCall {
    if (!checked.ok || !checked.tool.standsFor) return checked;
    const other = checked.tool.standsFor(checked.args as never);
    const tool = registry.find(other.tool);
    // Nothing that was allowed for one plugin's tools may reach those of another.
    if (tool && (tool.plugin !== checked.tool.plugin || tool.standsFor)) return { ok: false, error: `${checked.tool.name} does not call ${other.tool}.` };
    return withFinder(other.tool, check.value(other.tool, other.args, fills));
  }

  const specs = createModelSpecs();

  return {
    list: (chatId) => exposure.rows(chatId),
    find: (name) => registry.find(name),
    specOf(name) {
      const tool = registry.find(name);
      return tool && specs(tool);
    },
    visible(chatId) {
      const shown = registry.all().filter((tool) => exposure.isVisible(tool, chatId));
      return {
        specs: shown.map(specs),
        hiddenFamilies: exposure.families(chatId).map(({ name, description, tools }) => ({ name, description, tools: tools.map((tool) => tool.name) })),
      };
    },
    reveal: (chatId, family) => exposure.reveal(chatId, family),
    check: (name, argsText) => meant(withFinder(name, check.text(name, argsText)), true),
    checkArgs: (name, args) => meant(withFinder(name, check.value(name, args)), false),
    run(tool, args, context) {
      if (!exposure.isVisible(tool, context.chatId)) exposure.reveal(context.chatId, tool.family);
      return run(tool, args, context);
    },
  };
}
