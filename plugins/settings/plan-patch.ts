// Validates a patch against the declared variables, and returns its changes, or the reason for its rejection. Pure.
import type { ConfigField, ConfigKeywords, KernelControl } from 'agent-harness/kernel';
import type { SettingsPatch } from './contract.ts';
import { isSettable } from './fields.ts';

export interface PatchFault {
  /** JSON pointer into the request body. */
  readonly pointer: string;
  /** One sentence. */
  readonly why: string;
}

export interface PatchPlan {
  /** Variable → text; `null` removes the variable. */
  readonly changes: ReadonlyMap<string, string | null>;
  readonly fields: ReadonlyMap<string, ConfigField>;
  readonly unknown: readonly string[];
  readonly locked: readonly string[];
  readonly invalid: readonly PatchFault[];
}

const modelKey = 'AGENT_MODEL';
const baseUrlKey = 'AGENT_API_BASE_URL';

export function planPatch(patch: SettingsPatch, declared: readonly ConfigField[], checkValue: KernelControl['checkValue']): PatchPlan {
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
    const why = changes.has(key) && changes.get(key) !== clamp(field, text) ? `${key} is given twice with different values.` : faultOf(field, text, checkValue);
    if (why !== undefined) invalid.push({ pointer, why });
    changes.set(key, clamp(field, text));
  }
  return { changes, fields, unknown: [...unknown], locked: [...locked], invalid };
}

/** An empty text counts as unset, as in the environment. */
function requestedChanges({ harness, provider }: SettingsPatch): { key: string; text: string | null; pointer: string }[] {
  return [
    ...Object.entries(harness?.env ?? {}).map(([key, text]) => ({ key, text: text === '' ? null : text, pointer: `/harness/env/${pointerPart(key)}` })),
    ...(provider?.model === undefined ? [] : [{ key: modelKey, text: provider.model || null, pointer: '/provider/model' }]),
    ...(provider?.baseURL === undefined ? [] : [{ key: baseUrlKey, text: provider.baseURL || null, pointer: '/provider/baseURL' }]),
  ];
}

/** Clamps a number to its range, like the kernel, which rejects a number with `mustFit`. */
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

/** Every client sees preferences, so they must not contain a password. @param text passed the check of the kernel */
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
