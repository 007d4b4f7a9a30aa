// Resolves the values of settings in this order: environment, imposed values, preferences, `.env`, default; parses and clamps them.
import type { ConfigField, ConfigKeywords, ConfigSlice, ConfigStore, KernelError } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/settings';

export interface ConfigTexts {
  /** The real environment of the process: overrides and locks all other values. */
  readonly environment?: Texts;
  readonly preferences?: Texts;
  /** The `.env` file of the home folder: secrets, and values that preferences override. */
  readonly dotenv?: Texts;
}

type MakeError = (reason: 'CONFIG_INVALID' | 'SETTING_UNUSABLE', details: Readonly<Record<string, unknown>>) => KernelError;
/** Values as text by variable. */
type Texts = Readonly<Record<string, string | undefined>>;

type PropertySchema = ConfigKeywords & {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** Valid examples; error messages contain the first one. */
  readonly examples?: readonly unknown[];
};

/** Creates the store. @param makeError creates an error of the kernel's table */
export function createConfigStore(options: ConfigTexts, makeError: MakeError): ConfigStore {
  const environment: Texts = options.environment ?? {};
  let dotenv = options.dotenv ?? {};
  let preferences: Texts = options.preferences ?? {};
  let imposed: Texts = {};
  let isSaved = true;

  function lookUp(property: PropertySchema, isReset = false): { text?: string; source: ConfigField['source']; locked: boolean } {
    const name = property.env ?? '';
    const fromEnvironment = nonEmpty(environment, name);
    if (fromEnvironment !== undefined) return { text: fromEnvironment, source: 'environment', locked: true };
    const fromAbove = property.tab === undefined || property.secret || property.ephemeral ? undefined : nonEmpty(imposed, name);
    if (fromAbove !== undefined) return { text: fromAbove, source: 'imposed', locked: true };
    const fromPreferences = isReset || property.secret || (property.ephemeral && isSaved) ? undefined : nonEmpty(preferences, name);
    if (fromPreferences !== undefined) return { text: fromPreferences, source: 'preferences', locked: false };
    const fromDotenv = property.ephemeral ? undefined : nonEmpty(dotenv, name);
    if (fromDotenv !== undefined) return { text: fromDotenv, source: 'environment', locked: false };
    return { source: 'default', locked: false };
  }

  function slice(plugin: string, schema: unknown): ConfigSlice {
    const values: Record<string, unknown> = {};
    const fields: ConfigField[] = [];
    let fault: KernelError | undefined;
    for (const [key, property] of propertiesOf(schema)) {
      const found = lookUp(property);
      const parsed: Parsed = found.text === undefined ? {} : parseValue(property, found.text);
      const { warning } = parsed;
      const isReplaced = parsed.value === undefined;
      const isUnusable = isReplaced && warning !== undefined && property.mustFit === true;
      if (warning !== undefined && isReplaced && !isUnusable && property.default === undefined)
        fault ??= makeError('CONFIG_INVALID', { plugin, key: property.env ?? key, why: warning });
      const value = isUnusable ? undefined : (parsed.value ?? property.default);
      const beneath = found.source === 'preferences' ? lookUp(property, true).text : undefined;
      if (isUnusable) Object.defineProperty(values, key, unusable(makeError('SETTING_UNUSABLE', { plugin, key: property.env ?? key, why: warning })));
      else if (value !== undefined) values[key] = value;
      if (property.env === undefined) continue;
      const isFound = found.text !== undefined && (!isReplaced || warning !== undefined);
      const outcome = isUnusable ? ' Features that need this setting do not run.' : isReplaced ? ' The default is used.' : '';
      fields.push({
        key: property.env,
        plugin,
        schema: property as Readonly<Record<string, unknown>>,
        isSet: isFound,
        source: isReplaced && !isUnusable ? 'default' : found.source,
        locked: found.locked,
        ...(property.secret ? {} : { value }),
        ...(beneath === undefined ? {} : { resetsTo: parseValue(property, beneath).value ?? property.default }),
        ...(warning === undefined ? {} : { warning: `${property.env}: ${warning}${outcome}` }),
        ...(isUnusable ? { isUnusable } : {}),
      });
    }
    return { values, fields, ...(fault ? { fault } : {}) };
  }

  return {
    slice,
    refresh({ values }, plugin, schema) {
      const { values: next, fault } = slice(plugin, schema);
      const changed = propertiesOf(schema).filter(([key]) => stateOf(next, key) !== stateOf(values, key));
      if (fault) return { isChanged: changed.length > 0, mustReload: false, fault };
      for (const [key, { apply }] of changed) if (apply === 'live') copyValue(key, next, values);
      return { isChanged: changed.length > 0, mustReload: changed.some(([, { apply = 'reload' }]) => apply === 'reload') };
    },
    check(property, text) {
      const { value, warning } = parseValue(property, text);
      return value === undefined ? warning : undefined;
    },
    replacePreferences(next, other = {}) {
      [preferences, dotenv, imposed] = [next, other.dotenv ?? dotenv, other.imposed ?? imposed];
      isSaved = false;
    },
  };
}

/** Returns the value of a key, or the error thrown when it is read. */
function stateOf(values: ConfigSlice['values'], key: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(values, key);
  const get = descriptor?.get;
  return get && 'why' in get ? get.why : (descriptor?.value as unknown);
}

/** Copies the value of a key without reading it, including its absence or a getter that throws. */
function copyValue(key: string, from: ConfigSlice['values'], to: ConfigSlice['values']): void {
  const descriptor = Object.getOwnPropertyDescriptor(from, key) ?? { value: undefined, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(to, key, descriptor);
}

export function propertiesOf(schema: unknown): [string, PropertySchema][] {
  return Object.entries((schema as { readonly properties?: Record<string, PropertySchema> } | undefined)?.properties ?? {});
}

/** Returns the allowed literals of an enum, written as `enum` or as `anyOf` of constants. */
function choicesOf(property: PropertySchema): readonly unknown[] | undefined {
  if (property.enum) return property.enum;
  const constants = property.anyOf?.map((one) => one.const);
  return constants?.every((one) => one !== undefined) ? constants : undefined;
}

/** Returns a property that throws the error at each read. */
function unusable(error: KernelError): PropertyDescriptor {
  const get = (): never => {
    throw error;
  };
  return { get: Object.assign(get, { why: error.message }), enumerable: true, configurable: true };
}

interface Parsed {
  readonly value?: unknown;
  readonly warning?: string;
}

/**
 * Parses the text of a setting. A value outside the range is clamped, with a warning. For invalid text, only `warning` is set; for empty text, neither field is
 * set.
 */
function parseValue(property: PropertySchema, text: string): Parsed {
  if (property.normalize === undefined) return parseText(property, text);
  try {
    const normal = property.normalize(text);
    return normal === '' ? {} : parseText(property, normal);
  } catch (fault) {
    return { warning: messageOf(fault) };
  }
}

function parseText(property: PropertySchema, text: string): Parsed {
  const choices = choicesOf(property);
  if (choices) {
    const choice = choices.find((one) => String(one) === text);
    return choice === undefined ? { warning: `must be one of ${choices.join(', ')}.` } : { value: choice };
  }
  switch (property.type) {
    case 'boolean':
      if (/^(1|true|yes|on)$/i.test(text)) return { value: true };
      return /^(0|false|no|off)$/i.test(text) ? { value: false } : { warning: 'must be 0 or 1.' };
    case 'integer':
    case 'number':
      return parseNumber(property, text);
    default:
      if (property.pattern === undefined || new RegExp(property.pattern, 'u').test(text)) return { value: text };
      return { warning: property.examples?.length ? `must look like ${String(property.examples[0])}.` : `must match ${property.pattern}.` };
  }
}

function parseNumber(property: PropertySchema, text: string): Parsed {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    return { warning: property.examples?.length ? `must be a number, such as ${String(property.examples[0])}.` : 'must be a number.' };
  if (property.type === 'integer' && !Number.isInteger(number)) return { warning: 'must be a whole number.' };
  if (property.mustFit && !isInRange(property, number)) return { warning: `must be ${rangeOf(property)}.` };
  const clamped = Math.min(property.maximum ?? Infinity, Math.max(property.minimum ?? -Infinity, number));
  return clamped === number ? { value: number } : { value: clamped, warning: `${number} is out of range; ${clamped} is used.` };
}

function isInRange({ minimum = -Infinity, maximum = Infinity }: PropertySchema, number: number): boolean {
  return number >= minimum && number <= maximum;
}

function rangeOf({ minimum, maximum }: PropertySchema): string {
  if (maximum === undefined) return `${minimum} or more`;
  return minimum === undefined ? `${maximum} or less` : `from ${minimum} to ${maximum}`;
}

function nonEmpty(texts: Texts, name: string): string | undefined {
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return text === undefined || text === '' ? undefined : text;
}
