// Validates changes to settings against the declared variables. Returns the changed variables, or the reason for the rejection. Pure.
import type { ConfigField, ConfigKeywords, KernelControl } from 'agent-harness/kernel';
import type { SettingsPatch } from './contract.ts';
import { isSettable } from './fields.ts';

export interface PatchFault {
  /** JSON pointer to the invalid field in the request body. */
  readonly pointer: string;
  /** Reason, as a sentence. */
  readonly why: string;
}

export interface CheckedChange {
  /** Changed values as text by variable; `null` removes the variable. */
  readonly changes: ReadonlyMap<string, string | null>;
  readonly fields: ReadonlyMap<string, ConfigField>;
  readonly unknown: readonly string[];
  readonly locked: readonly string[];
  readonly invalid: readonly PatchFault[];
}

const modelKey = 'AGENT_MODEL';
const baseUrlKey = 'AGENT_API_BASE_URL';

export function checkChange(patch: SettingsPatch, declared: readonly ConfigField[], checkValue: KernelControl['checkValue']): CheckedChange {
  const fields = new Map(declared.filter(isSettable).map((field) => [field.key, field]));
  const changes = new Map<string, string | null>();
  const unknown = new Set<string>();
  const locked = new Set<string>();
  const invalid: PatchFault[] = [];

  for (const { key, text, pointer } of requestedChanges(patch)) {
    const field = fields.get(key);
    if (!field) {
      unknown.add(key);
      continue;
    }
    if (field.locked) locked.add(key);
    const why = changes.has(key) && changes.get(key) !== clamp(field, text) ? `${key} occurs twice with different values.` : faultOf(field, text, checkValue);
    if (why !== undefined) invalid.push({ pointer, why });
    changes.set(key, clamp(field, text));
  }
  return { changes, fields, unknown: [...unknown], locked: [...locked], invalid };
}

/** Returns the requested changes. Empty text means unset, as in the environment. */
function requestedChanges({ harness, provider }: SettingsPatch): { key: string; text: string | null; pointer: string }[] {
  return [
    ...Object.entries(harness?.env ?? {}).map(([key, text]) => ({ key, text: text === '' ? null : text, pointer: `/harness/env/${pointerPart(key)}` })),
    ...(provider?.model === undefined ? [] : [{ key: modelKey, text: provider.model || null, pointer: '/provider/model' }]),
    ...(provider?.baseURL === undefined ? [] : [{ key: baseUrlKey, text: provider.baseURL || null, pointer: '/provider/baseURL' }]),
  ];
}

/** Clamps a number to its range, except with `mustFit`, as the config store does. */
function clamp({ schema }: ConfigField, text: string | null): string | null {
  const number = Number(text);
  if (schema['mustFit'] === true) return text;
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  if (text === null || !isNumber || text.trim() === '' || !Number.isFinite(number)) return text;
  const [minimum, maximum] = [schema['minimum'], schema['maximum']];
  const least = typeof minimum === 'number' ? Math.max(minimum, number) : number;
  const clamped = typeof maximum === 'number' ? Math.min(maximum, least) : least;
  return clamped === number ? text : String(clamped);
}

function faultOf(field: ConfigField, text: string | null, checkValue: KernelControl['checkValue']): string | undefined {
  if (text === null) return undefined;
  const isUrl = field.schema['format'] === 'uri' || field.key === baseUrlKey;
  return (
    checkValue(field.key, text) ?? (isUrl && !isPlainHttpUrl(field, text) ? 'must be an http or https address without user name and password.' : undefined)
  );
}

/** Returns whether a URL contains no password, because every client can read the preferences. Contract: the text is valid. */
function isPlainHttpUrl({ schema }: ConfigField, text: string): boolean {
  const { normalize } = schema as ConfigKeywords;
  const address = normalize ? normalize(text) : text;
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
