// Converts the kernel's declared variables to fields of the settings page. Pure.
import type { ConfigField } from 'agent-harness/kernel';
import type { SettingField, SettingKind } from './contract.ts';

type Scalar = boolean | number | string | null;

/** Returns whether the settings page lists the variable. A variable without a tab can be set only by the environment. */
export function isListed(field: ConfigField): boolean {
  return typeof field.schema['tab'] === 'string';
}

/** Returns whether preferences may set the variable. Preferences never contain secrets. */
export function isSettable(field: ConfigField): boolean {
  return isListed(field) && field.schema['secret'] !== true;
}

/** Returns whether the variable applies only to the running process. */
export function isEphemeral(field: ConfigField): boolean {
  return field.schema['ephemeral'] === true;
}

/** Returns whether a change to the variable takes effect only after a restart. */
export function needsRestart(field: ConfigField): boolean {
  return field.schema['apply'] === 'restart';
}

/** Returns the field of the settings page. @param tabIds ids of the known tabs; fields with another tab are listed under `advanced` */
export function toSettingField(field: ConfigField, tabIds: ReadonlySet<string>): SettingField {
  const { schema } = field;
  const tab = String(schema['tab']);
  const values = choicesOf(schema);
  const sensitive = schema['secret'] === true;
  return {
    key: field.key,
    tab: tabIds.has(tab) ? tab : 'advanced',
    group: field.plugin,
    label: textOf(schema['title']) ?? labelOf(field.key),
    description: textOf(schema['description']) ?? '',
    ...(typeof schema['words'] === 'string' ? { words: schema['words'] } : {}),
    ...(typeof schema['rank'] === 'number' ? { rank: schema['rank'] } : {}),
    kind: kindOf(schema, values),
    ...(values === undefined ? {} : { values }),
    ...(typeof schema['minimum'] === 'number' ? { minimum: schema['minimum'] } : {}),
    ...(typeof schema['maximum'] === 'number' ? { maximum: schema['maximum'] } : {}),
    default: sensitive ? null : scalarOf(schema['default']),
    value: sensitive ? null : scalarOf(field.value),
    ...(field.resetsTo === undefined || sensitive ? {} : { resetsTo: scalarOf(field.resetsTo) }),
    source: field.source === 'imposed' ? 'fleet' : field.source,
    locked: field.locked,
    sensitive,
    restart: needsRestart(field),
    ...(field.warning === undefined ? {} : { warning: field.warning }),
  };
}

function kindOf(schema: ConfigField['schema'], values: readonly string[] | undefined): SettingKind {
  if (values) return 'enum';
  const type = schema['type'];
  return type === 'boolean' || type === 'integer' || type === 'number' ? type : 'string';
}

function choicesOf(schema: ConfigField['schema']): readonly string[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String);
  if (!Array.isArray(schema['anyOf'])) return undefined;
  const constants = (schema['anyOf'] as { const?: unknown }[]).map((one) => one.const);
  return constants.every((one) => one !== undefined) ? constants.map(String) : undefined;
}

/** Returns the label of a variable without a title: `AGENT_TOOL_LAZY` → `Tool lazy`. */
function labelOf(key: string): string {
  const words = key
    .replace(/^AGENT_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function scalarOf(value: unknown): Scalar {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : null;
}
