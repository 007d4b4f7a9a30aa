// Parses the arguments of `/call` into a valid tool call or an error text.
import type { SlashAnswer } from 'agent-harness/plugins/commands';
import type { Tools } from 'agent-harness/plugins/tools';

/** @param text name of the tool, and its arguments as JSON; default of the arguments: `{}` */
export function callTool(tools: Tools, chatId: string, text: string): SlashAnswer {
  const [, name = '', written = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  if (name !== '' && !tools.find(name)) return `${nearest(tools, name)} Tools of this chat: ${namesOf(tools, chatId)}.`;
  if (name === '') return `Enter the name of a tool, such as /call list_dir {"path": "."}. Tools of this chat: ${namesOf(tools, chatId)}.`;
  const argsText = written === '' ? '{}' : written;
  const checked = tools.check(name, argsText);
  if (!checked.ok) return [checked.error, checked.hint].filter((line) => line !== undefined).join('\n');
  return { calls: [{ name, argsText }] };
}

function nearest(tools: Tools, name: string): string {
  const checked = tools.check(name, '{}');
  return checked.ok ? '' : [checked.error, /^Did you mean.*/.exec(checked.hint ?? '')?.[0] ?? ''].join(' ').trim();
}

function namesOf(tools: Tools, chatId: string): string {
  const names = tools.visible(chatId).specs.map((spec) => spec.name);
  return names.join(', ');
}
