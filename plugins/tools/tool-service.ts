// The service `tools`: one object over the registry, what chats see, the check and the runner.
import type { Tools } from './contract.ts';
import type { ArgumentCheck } from './argument-check.ts';
import type { Exposure } from './exposure.ts';
import type { ToolRegistry } from './tool-registry.ts';

export function createToolService(registry: ToolRegistry, exposure: Exposure, check: ArgumentCheck, run: Tools['run']): Tools {
  return {
    list: (chatId) => exposure.rows(chatId),
    find: (name) => registry.find(name),
    visible(chatId) {
      const shown = registry.all().filter((tool) => exposure.isVisible(tool, chatId));
      return {
        specs: shown.map(({ name, description, input }) => ({ name, description, input })),
        hiddenFamilies: exposure.families(chatId).map(({ name, description, tools }) => ({ name, description, tools: tools.map((tool) => tool.name) })),
      };
    },
    reveal: (chatId, family) => exposure.reveal(chatId, family),
    check: (name, argsText) => check.text(name, argsText),
    checkArgs: (name, args) => check.value(name, args),
    run(tool, args, context) {
      if (!exposure.isVisible(tool, context.chatId)) exposure.reveal(context.chatId, tool.family);
      return run(tool, args, context);
    },
  };
}
