// Checks a call before it runs: is there such a tool, is the text JSON, do the arguments fit its schema.
import { messageOf } from 'agent-harness/lib/errors';
import { lateAjv } from 'agent-harness/lib/late-ajv';
import { copyJson, isRecord } from 'agent-harness/lib/values';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { CheckedCall, RegisteredTool } from './contract.ts';
import { closestNames } from './closest-names.ts';
import { explainErrors } from './explain-errors.ts';
import { parseArgs } from './parse-args.ts';
import type { ToolRegistry } from './tool-registry.ts';

export interface ArgumentCheck {
  /** Of the model: what the schema gives a default for and the model left out is filled in, before anybody sees the call. */
  text(name: string, argsText: string): CheckedCall;
  /** Fills in defaults only where asked to: never into what a person edited. */
  value(name: string, args: unknown, fills?: boolean): CheckedCall;
}

type Args = Record<string, unknown>;
type Compiler = (tool: RegisteredTool) => ValidateFunction;

const maxDepth = 200;

export function createArgumentCheck(tools: ToolRegistry, regExp: LimitedPatterns): ArgumentCheck {
  // Compiling costs milliseconds, so it waits for the first call of each tool.
  const filling = createCompiler(true, regExp);
  const plain = createCompiler(false, regExp);

  function value(name: string, args: unknown, fills = false): CheckedCall {
    const tool = tools.find(name);
    if (!tool) return unknownTool(name);
    if (!isRecord(args)) {
      return { ok: false, error: `The arguments of ${name} must be one JSON object, not ${Array.isArray(args) ? 'an array' : `a ${typeof args}`}.` };
    }
    const fault = findFault(args);
    if (fault !== undefined) return { ok: false, error: `The arguments of ${name} ${fault}` };
    return fit(tool, copyJson(args as Args), fills ? filling : plain);
  }

  function fit(tool: RegisteredTool, args: Args, compile: Compiler): CheckedCall {
    try {
      const validate = compile(tool);
      if (validate(args)) return { ok: true, tool, args };
      if (repairScalars(args, validate.errors ?? []) && validate(args)) return { ok: true, tool, args };
      return {
        ok: false,
        error: `${tool.name} was not run, because its arguments do not fit:\n${explainErrors(validate.errors ?? [])}`,
        hint: 'Call it again with corrected arguments.',
      };
    } catch (fault) {
      return {
        ok: false,
        error: `The input schema of ${tool.name} (plugin ${tool.plugin}) is broken: ${messageOf(fault)}`,
      };
    }
  }

  function unknownTool(name: string): CheckedCall {
    const names = tools.all().map((tool) => tool.name);
    const close = closestNames(name, names);
    return {
      ok: false,
      error: `There is no tool '${name.slice(0, 100)}'.`,
      hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : 'Use one of the tools that are described to you.',
    };
  }

  return {
    value,
    text(name, argsText) {
      if (!tools.find(name)) return unknownTool(name);
      const parsed = parseArgs(argsText);
      return parsed.ok ? value(name, parsed.value, true) : parsed;
    },
  };
}

function createCompiler(useDefaults: boolean, regExp: LimitedPatterns): Compiler {
  const compiled = new WeakMap<RegisteredTool, ValidateFunction>();
  let ajv: Ajv | undefined;
  return (tool) => {
    ajv ??= new (lateAjv().Ajv)({
      allErrors: true,
      verbose: true,
      useDefaults,
      strict: false,
      // Schemas of MCP servers and OpenAPI documents name drafts, formats and ids of their own.
      validateSchema: false,
      validateFormats: false,
      addUsedSchema: false,
      logger: false,
      code: { regExp },
    });
    let validate = compiled.get(tool);
    if (!validate) compiled.set(tool, (validate = ajv.compile(tool.input)));
    return validate;
  };
}

/** A key at any depth that could reach an object's prototype, or more depth than those who copy and print arguments bear. */
function findFault(root: object): string | undefined {
  const open: { value: object; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) return `are nested more than ${maxDepth} levels deep; send a flatter object.`;
    for (const key of Object.keys(value)) {
      if (key === '__proto__' || key === 'constructor') return `must not use the name '${key}'.`;
      const child = (value as Args)[key];
      if (typeof child === 'object' && child !== null) open.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Models write `"5"` for 5 and `"true"` for true. Nothing else is converted: `null` and `""` may mean something. */
function repairScalars(args: Args, errors: readonly ErrorObject[]): boolean {
  let isChanged = false;
  for (const { keyword, instancePath, schema, data } of errors) {
    const repaired = keyword === 'type' ? scalarAs(schema as string | readonly string[], data) : undefined;
    if (repaired !== undefined) isChanged = replaceAt(args, instancePath, repaired) || isChanged;
  }
  return isChanged;
}

function scalarAs(type: string | readonly string[], value: unknown): string | number | boolean | undefined {
  const types = typeof type === 'string' ? [type] : type;
  if (typeof value === 'number' && types.includes('string')) return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = types.includes('number') && /^-?\d+(\.\d+)?$/.test(value);
  const isInteger = types.includes('integer') && /^-?\d+$/.test(value);
  return (isNumber || isInteger) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined;
}

function replaceAt(root: Args, pointer: string, value: unknown): boolean {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  const parent = keys.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Args)[key] : undefined), root);
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  (parent as Args)[last] = value;
  return true;
}
