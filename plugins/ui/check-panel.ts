// Validates a UI panel of a plugin, and returns its error as a sentence for the plugin author.
import { isAbsolute } from 'node:path';
import type { PanelSlot, UiPanel } from './contract.ts';

export const slots = [
  ...(['panel', 'tool_result', 'note', 'header', 'over-composer', 'composer', 'first-run', 'settings', 'account', 'connections', 'pane'] as const),
] satisfies readonly PanelSlot[];
export const places = ['chats', 'chat'] as const;
const fields = ['id', 'title', 'slot', 'icon', 'place', 'order', 'tools', 'events', 'module', 'uses'];
const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const toolName = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;
const routeKey = /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/;
const eventName = /^[a-z][a-z0-9_]*$/;

type Rule = readonly [isWrong: boolean, sentence: string];

/** Returns the error in a panel; `undefined` for a valid one. Any part may be missing, because `panel` comes from JavaScript. */
export function checkPanel(panel: UiPanel): string | undefined {
  if (typeof panel !== 'object' || panel === null) return 'a panel must be an object with id, title, slot and module.';
  const { id, title, slot, icon, place, order, tools, events, module, uses } = panel as Partial<UiPanel>;
  const name = `the panel '${String(id)}'`;
  const unknown = Object.keys(panel).find((field) => !fields.includes(field));
  const rules: Rule[] = [
    [typeof id !== 'string' || !kebab.test(id) || id.length > 64, `the id '${String(id)}' of a panel must be kebab-case, at most 64 characters.`],
    [unknown !== undefined, `${name} has the unknown field '${unknown}'; there are ${fields.join(', ')}.`],
    [!isText(title, 80), `${name} needs a title of 1 to 80 characters.`],
    [!slots.some((one) => one === slot), `${name} has the slot '${String(slot)}'; it must be one of ${slots.join(', ')}.`],
    [icon !== undefined && !isText(icon, 16), `${name} has an icon that is neither the name of an icon nor a single character.`],
    [slot === 'tool_result' && !isListOf(tools, toolName, 1), `${name} must list the names of the tools whose results it shows in 'tools'.`],
    [slot === 'note' && !isListOf(events, eventName, 1), `${name} must list the kinds of the events whose lines it shows in 'events'.`],
    [slot !== 'tool_result' && tools !== undefined, `${name} has 'tools', which is only allowed for the slot tool_result.`],
    [slot !== 'note' && events !== undefined, `${name} has 'events', which is only allowed for the slot note; list the events that it reads in 'uses'.`],
    [slot !== 'panel' && place !== undefined, `${name} has 'place', which is only allowed for the slot panel.`],
    [place !== undefined && !places.includes(place), `${name} has the place '${String(place)}'; it must be one of ${places.join(', ')}, or be left out.`],
    [order !== undefined && !Number.isFinite(order), `${name} has an 'order' that is not a number.`],
    [!isModule(module), `${name} needs the absolute path or file: URL of a .js or .mjs file in 'module'.`],
    [uses !== undefined && !isUses(uses), `${name} has a wrong 'uses': it has 'routes' like 'GET /api/status' and 'events' like 'turn_end'.`],
  ];
  return rules.find(([isWrong]) => isWrong)?.[1];
}

function isText(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= max;
}

function isListOf(value: unknown, pattern: RegExp, min: number): boolean {
  return Array.isArray(value) && value.length >= min && value.every((one) => typeof one === 'string' && pattern.test(one));
}

function isModule(value: unknown): boolean {
  if (typeof value !== 'string' || !/\.m?js$/.test(value)) return false;
  return isAbsolute(value) || (value.startsWith('file:') && URL.canParse(value));
}

function isUses(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { routes = [], events = [], ...rest } = value as { readonly routes?: unknown; readonly events?: unknown };
  return Object.keys(rest).length === 0 && isListOf(routes, routeKey, 0) && isListOf(events, eventName, 0);
}
