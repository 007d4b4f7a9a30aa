// Implements the `tools` service: combines the registry, the selection per chat, the argument check and the runner.
import { copyJson } from '#lib/values';
import { messageOf } from '#lib/errors';
import type { CheckedCall, Grant, GrantedCall, ToolOutcome, Tools } from './contract.ts';
import type { ArgumentCheck } from './argument-check.ts';
import type { Exposure, SeenTools } from './exposure.ts';
import { createModelSpecs } from './model-spec.ts';
import type { Runner } from './run-tool.ts';
import type { ToolRegistry } from './tool-registry.ts';

type Run = () => Promise<ToolOutcome>;

/**
 * Creates the service.
 * @param redeem returns whether a grant is valid and unused
 * @param around returns the function that runs the call, with all wrappers
 */
export function createToolService(
  registry: ToolRegistry,
  exposure: Exposure,
  check: ArgumentCheck,
  redeem: (grant: Grant) => boolean,
  run: Runner,
  around: (bare: Run, call: GrantedCall) => Promise<Run>,
): Tools {
  /** Adds a hint about the finder if arguments do not match, because the model may call a tool of such a family without having its description. */
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
    // A grant for one plugin's tool must not run a tool of another plugin.
    if (tool && (tool.plugin !== checked.tool.plugin || tool.standsFor)) return { ok: false, error: `${checked.tool.name} does not call ${other.tool}.` };
    return withFinder(other.tool, check.value(other.tool, other.args, fills));
  }

  const specs = createModelSpecs();
  const visible = new WeakMap<SeenTools, ReturnType<Tools['visible']>>();

  return Object.freeze<Tools>({
    list: (chatId) => exposure.rows(chatId),
    find: (name) => registry.find(name),
    nameWith: (trait) => registry.nameWith(trait),
    specOf(name) {
      const tool = registry.find(name);
      return tool && specs(tool);
    },
    visible(chatId) {
      const seen = exposure.seen(chatId);
      const known = visible.get(seen) ?? {
        specs: Object.freeze(seen.shown.map(specs)),
        hiddenFamilies: seen.hidden.map(({ name, description, tools }) => ({ name, description, tools: tools.map((tool) => tool.name) })),
      };
      visible.set(seen, known);
      return known;
    },
    reveal: (chatId, family) => exposure.reveal(chatId, family),
    check: (name, argsText) => meant(withFinder(name, check.text(name, argsText)), true),
    checkArgs: (name, args) => meant(withFinder(name, check.value(name, args)), false),
    async run(grant, { signal, progress, waiting }) {
      if (!redeem(grant)) return { ok: false, error: 'This call was not approved, or it has already run, so it was not run.' };
      const { tool, args, chatId, turnId, callId, workspaceRoot, instead } = grant;
      if (registry.find(tool.name) !== tool) return { ok: false, error: `${tool.name} was removed before the call ran.` };
      if (!exposure.isVisible(tool, chatId)) exposure.reveal(chatId, tool.family);
      // The approved arguments stay unchanged, even if the tool modifies its own copy.
      const bare: Run = () =>
        run(instead ? { ...tool, run: instead } : tool, copyJson(args), { chatId, turnId, callId, workspaceRoot, signal, progress, waiting });
      try {
        const whole = await around(bare, grant);
        return await whole();
      } catch (fault) {
        return { ok: false, error: `${tool.name} was not run: ${messageOf(fault)}` };
      }
    },
  });
}
