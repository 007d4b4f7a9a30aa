// Registers contributed views, each with its owner.
import type { PointHandler } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { ViewContribution, ViewRow } from './contract.ts';

export interface OwnedView {
  readonly view: ViewContribution;
  readonly plugin: string;
}

export interface ViewRegistry {
  readonly handler: PointHandler<ViewContribution>;
  find(name: string): OwnedView | undefined;
  /** Returns the views in order of registration. */
  all(): readonly OwnedView[];
}

/** Names of reserved query fields, which parameters must not use. */
const reservedNames = ['chatId', 'token', 'authToken'];
export const places = ['page', 'pane', 'none'] as const;
const fields = [
  'name',
  'title',
  'description',
  'icon',
  'place',
  'tabOf',
  'permission',
  'actPermission',
  'parameters',
  'changesOn',
  'changesNothing',
  'read',
  'act',
];
const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export function createViewRegistry(): ViewRegistry {
  const views = new Map<string, OwnedView>();
  return {
    handler: {
      validate(view, owner) {
        const why = checkContribution(view);
        const first = why === undefined ? views.get(view.name) : undefined;
        return first ? `the view '${view.name}' is contributed by both '${first.plugin}' and '${owner}'; rename one of them.` : why;
      },
      added: (view, plugin) => void views.set(view.name, { view, plugin }),
      removed(view) {
        if (views.get(view.name)?.view === view) views.delete(view.name);
      },
    },
    find: (name) => views.get(name),
    all: () => [...views.values()],
  };
}

/** Returns the row of a view in the list for clients. */
export function rowOf({ view, plugin }: OwnedView): ViewRow {
  const { name, title, description, icon, place, tabOf, parameters, changesOn } = view;
  return {
    ...{ name, title, plugin },
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
    ...(place === undefined ? {} : { place }),
    ...(tabOf === undefined ? {} : { tabOf }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(changesOn === undefined ? {} : { changesOn }),
  };
}

/** Returns the error in a contributed view; `undefined` for a valid one. Any part may be missing, because the input comes from JavaScript. */
function checkContribution(given: ViewContribution): string | undefined {
  if (typeof given !== 'object' || given === null) return 'a view must be an object with name, title and read.';
  const { name, title, description, icon, place, tabOf, parameters, changesOn, read, act } = given as Partial<ViewContribution>;
  const called = `the view '${String(name)}'`;
  const unknown = Object.keys(given).find((field) => !fields.includes(field));
  const rules: readonly (readonly [isWrong: boolean, sentence: string])[] = [
    [typeof name !== 'string' || !kebab.test(name) || name.length > 64, `the name '${String(name)}' of a view must be kebab-case, at most 64 characters.`],
    [unknown !== undefined, `${called} has the unknown field '${unknown}'; there are ${fields.join(', ')}.`],
    [!isText(title, 80), `${called} needs a title of 1 to 80 characters.`],
    [description !== undefined && !isText(description, 300), `${called} has a description that is not a text of 1 to 300 characters.`],
    [icon !== undefined && !isText(icon, 16), `${called} has an icon that is neither the name of an icon nor a single character.`],
    [tabOf !== undefined && (typeof tabOf !== 'string' || tabOf === name), `${called} has a tabOf that is not the name of another view.`],
    [place !== undefined && !places.includes(place), `${called} has the place '${String(place)}'; it must be one of ${places.join(', ')}.`],
    [changesOn !== undefined && !isListOfNames(changesOn), `${called} must list the names of events in 'changesOn'.`],
    ...faultsOfParameters(called, parameters),
    [typeof read !== 'function', `${called} needs a function 'read' that answers what it shows.`],
    [act !== undefined && typeof act !== 'function', `${called} has an 'act' that is no function.`],
  ];
  return rules.find(([isWrong]) => isWrong)?.[1];
}

/** Returns the errors that prevent parameters from being listed. The first read, which loads the code, validates the parameters completely. */
function faultsOfParameters(called: string, parameters: unknown): readonly (readonly [isWrong: boolean, sentence: string])[] {
  if (parameters === undefined) return [];
  const properties = isRecord(parameters) ? parameters['properties'] : undefined;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  const taken = fields.find(([field]) => reservedNames.includes(field));
  const odd = fields.find(
    ([, field]) => !isRecord(field) || typeof field['type'] !== 'string' || (field['title'] !== undefined && !isText(field['title'], 200)),
  );
  return [
    [fields.length === 0, `${called} has 'parameters' without properties; they are a JSON Schema of one level.`],
    [taken !== undefined, `${called} has a parameter '${taken?.[0]}', but these names are reserved: ${reservedNames.join(', ')}.`],
    [odd !== undefined, `${called} has a parameter '${odd?.[0]}' that is not a field with a type.`],
  ];
}

function isText(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= max;
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 50 && value.every((one) => typeof one === 'string' && /^[a-z][a-z0-9_]*$/.test(one));
}
