// Plans one operation: maps its parameters and body to tool arguments, and defines how they are sent.
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import { convertSchema, line, listOf, TooManySchemas } from './convert-schema.ts';
import type { References } from './references.ts';
import { fieldOf, type BodyPlan, type FieldEncoding, type Json, type Method, type OperationPlan, type ParameterPlan } from './table.ts';

export interface PlanParts {
  readonly references: References;
  readonly isOld: boolean;
  /** Lower-case names of credential parameters, which are excluded from the arguments. */
  readonly ownNames: readonly string[];
}

/** Maximum size of one input schema in characters; a model reads up to ten schemas per search. */
const maxInputChars = 10_000;
const maxParameters = 100;
/** Headers that the connection (RFC 9110, 7) or the document (OpenAPI 3.1.1, 4.8.12) sets. */
const keptHeaders =
  /^(accept|authorization|connection|content-.*|cookie|expect|forwarded|host|keep-alive|origin|proxy-.*|referer|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*)$/i;
const places = ['path', 'query', 'header', 'cookie'] as const;

interface Argument {
  readonly name: string;
  readonly schema: unknown;
  readonly description: string;
  readonly isRequired: boolean;
}

export function planOperation(method: Method, pathItem: Json, operation: Json, parts: PlanParts): OperationPlan {
  const found = collectParameters(pathItem, operation, parts);
  // GET and HEAD requests have no defined body (RFC 9110, 9.3.1).
  const body = method === 'get' || method === 'head' ? undefined : readBody(operation, parts);
  const names = new Set(body ? ['body'] : []);
  const parameters: ParameterPlan[] = [];
  const args: Argument[] = body ? [body.argument] : [];
  for (const parameter of found.slice(0, maxParameters)) {
    const plan = planParameter(parameter, names);
    names.add(plan.argument);
    parameters.push(plan);
    args.push(argumentOf(parameter, plan));
  }
  const description = line(textOf(operation, 'description'), 400);
  return { input: fitInput(args, description, parts), parameters, ...(body ? { body: body.plan } : {}) };
}

/** Merges path and operation parameters. Operation parameters take precedence. */
function collectParameters(pathItem: Json, operation: Json, { references, ownNames }: PlanParts): Json[] {
  const byKey = new Map<string, Json>();
  for (const given of [...listOf(fieldOf(pathItem, 'parameters')), ...listOf(fieldOf(operation, 'parameters'))]) {
    const parameter = references.resolve(given);
    const [name, place] = [fieldOf(parameter, 'name'), fieldOf(parameter, 'in')];
    if (!parameter || typeof name !== 'string' || name === '' || !places.includes(place as 'path')) continue;
    if (place === 'header' && (keptHeaders.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))) continue;
    if (place !== 'path' && ownNames.includes(name.toLowerCase())) continue;
    byKey.set(`${String(place)} ${name}`, parameter);
  }
  return [...byKey.values()];
}

function planParameter(parameter: Json, names: ReadonlySet<string>): ParameterPlan {
  const name = String(parameter['name']);
  const place = parameter['in'] as ParameterPlan['place'];
  const style = fieldOf(parameter, 'style');
  const plain = typeof style === 'string' ? style : place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const isExploded = fieldOf(parameter, 'explode');
  return {
    argument: argumentName(name, place, names),
    name,
    place,
    style: plain,
    isExploded: typeof isExploded === 'boolean' ? isExploded : plain === 'form',
    allowsReserved: fieldOf(parameter, 'allowReserved') === true,
    isJson: fieldOf(parameter, 'schema') === undefined && isRecord(fieldOf(parameter, 'content')),
  };
}

/** Returns a valid argument name: providers accept at most 64 letters, digits, `_`, `.` and `-`. */
function argumentName(name: string, place: string, names: ReadonlySet<string>): string {
  const plain = textStart(name.replace(/[^\w.-]+/g, '_').replace(/^_+|_+$/g, ''), 50) || 'value';
  const safe = ['constructor', 'prototype', 'proto'].includes(plain) ? `${plain}_value` : plain;
  if (!names.has(safe)) return safe;
  for (let again = 1; ; again++) {
    const other = `${safe}_${place}${again === 1 ? '' : again}`;
    if (!names.has(other)) return other;
  }
}

function argumentOf(parameter: Json, plan: ParameterPlan): Argument {
  const [first] = Object.values(isRecord(parameter['content']) ? parameter['content'] : {});
  return {
    name: plan.argument,
    schema: fieldOf(parameter, 'schema') ?? fieldOf(first, 'schema'),
    description: line(textOf(parameter, 'description'), 300),
    isRequired: plan.place === 'path' || fieldOf(parameter, 'required') === true,
  };
}

function readBody(operation: Json, { references }: PlanParts): { plan: BodyPlan; argument: Argument } | undefined {
  const body = references.resolve(fieldOf(operation, 'requestBody'));
  const content = fieldOf(body, 'content');
  if (!body || !isRecord(content)) return undefined;
  const best = Object.keys(content)
    .map((mediaType) => ({ mediaType, kind: kindOf(mediaType) }))
    .sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind))[0];
  if (!best) return undefined;
  const schema = fieldOf(content[best.mediaType], 'schema');
  const files = best.kind === 'multipart' ? fileFields(schema, references) : [];
  const encodings = best.kind === 'multipart' || best.kind === 'form' ? fieldEncodings(content[best.mediaType]) : {};
  const asText = best.kind === 'text' || best.kind === 'file';
  const constraints =
    best.kind === 'file' ? 'Path of a workspace file to send.' : files.length > 0 ? `Pass paths of workspace files for: ${files.join(', ')}.` : '';
  return {
    plan: { kind: best.kind, mediaType: /[*\r\n]/.test(best.mediaType) ? fallbackType[best.kind] : textStart(best.mediaType, 200), files, encodings },
    argument: {
      name: 'body',
      schema: asText ? { type: 'string' } : schema,
      description: [line(textOf(body, 'description'), 300), constraints].filter((text) => text !== '').join(' '),
      isRequired: fieldOf(body, 'required') === true,
    },
  };
}

/** Kinds of bodies in order of preference. */
const kinds: readonly BodyPlan['kind'][] = ['json', 'form', 'multipart', 'text', 'file'];
const fallbackType: Readonly<Record<BodyPlan['kind'], string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
  file: 'application/octet-stream',
};

function kindOf(mediaType: string): BodyPlan['kind'] {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/[/+]json$/.test(type) || type === '*/*') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return /^text\/|[/+](xml|yaml|x-ndjson)$|graphql/.test(type) ? 'text' : 'file';
}

function fileFields(schema: unknown, references: References): string[] {
  const properties = fieldOf(references.resolve(schema), 'properties');
  if (!isRecord(properties)) return [];
  return Object.keys(properties).filter((name) => {
    const property = references.resolve(properties[name]);
    return isFile(property) || isFile(references.resolve(fieldOf(property, 'items')));
  });
}

function isFile(schema: Json | undefined): boolean {
  return fieldOf(schema, 'format') === 'binary' || fieldOf(schema, 'contentMediaType') === 'application/octet-stream';
}

/** Returns the encodings of form fields (OpenAPI 3.1.1, 4.8.15): a field has a style or a content type. */
function fieldEncodings(media: unknown): Readonly<Record<string, FieldEncoding>> {
  const given = fieldOf(media, 'encoding');
  if (!isRecord(given)) return {};
  const found = Object.entries(given).flatMap(([name, encoding]): [string, FieldEncoding][] => {
    const [style, isExploded, type] = [fieldOf(encoding, 'style'), fieldOf(encoding, 'explode'), textOf(encoding, 'contentType')];
    if (typeof style === 'string' || typeof isExploded === 'boolean') {
      const plain = typeof style === 'string' ? style : 'form';
      return [[name, { style: plain, isExploded: typeof isExploded === 'boolean' ? isExploded : plain === 'form' }]];
    }
    return /^[\w.+-]+\/[\w.+-]+(;[ \w=.-]+)?$/.test(type) ? [[name, { contentType: type }]] : [];
  });
  return Object.fromEntries(found.filter(([name]) => name !== '__proto__'));
}

/** Reduces the depth until the schema fits, because an oversized schema is worse than inner parts that accept any value. */
function fitInput(args: readonly Argument[], description: string, parts: PlanParts): Json {
  for (const depth of [7, 5, 4, 3, 2, 1]) {
    const input = tryInput(args, description, parts, depth);
    if (input && JSON.stringify(input).length <= maxInputChars) return input;
  }
  return (
    tryInput(
      args.map((one) => ({ ...one, schema: undefined, description: textStart(one.description, 60) })),
      description,
      parts,
      1,
    ) ?? { type: 'object' }
  );
}

function tryInput(args: readonly Argument[], description: string, { references, isOld }: PlanParts, depth: number): Json | undefined {
  try {
    const properties = args.map(({ name, schema, description: own }): [string, Json] => {
      const converted = convertSchema(schema ?? {}, { references, isOld, depth, limit: 400 });
      return [name, own === '' ? converted : { ...converted, description: joined(own, converted['description']) }];
    });
    const required = args.filter((one) => one.isRequired).map((one) => one.name);
    return {
      type: 'object',
      ...(description === '' ? {} : { description }),
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    };
  } catch (fault) {
    if (fault instanceof TooManySchemas) return undefined;
    throw fault;
  }
}

/** Appends the schema's format and default in brackets. */
function joined(own: string, ofSchema: unknown): string {
  const constraints = typeof ofSchema === 'string' ? /\((?:format|pattern|default|one of) .*\)$/.exec(ofSchema)?.[0] : undefined;
  return constraints === undefined ? own : `${own} ${constraints}`;
}

export function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
}
