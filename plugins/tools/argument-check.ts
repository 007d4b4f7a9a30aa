// Checks a tool call before it runs: the tool exists, the text is JSON, and the arguments match the schema.
import { messageOf } from '#lib/errors';
import { createSchemaCompiler } from '#lib/foreign-schema';
import { textStart } from '#lib/text';
import { copyJson, isRecord } from '#lib/values';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { CheckedCall, RegisteredTool } from './contract.ts';
import { closestNames } from './closest-names.ts';
import { explainErrors } from './explain-errors.ts';
import { parseArgs } from './parse-args.ts';
import { leaveOutEmpty, repairArgs } from './repair-args.ts';
import type { ToolRegistry } from './tool-registry.ts';

export interface ArgumentCheck {
  /** Checks the arguments that the model wrote. Applies schema defaults and repairs common mistakes before the call is displayed or decided. */
  text(name: string, argsText: string): CheckedCall;
  /** Checks parsed arguments. @param isModels whether to apply defaults and repairs as `text` does; not for arguments that the user edited */
  value(name: string, args: unknown, isModels?: boolean): CheckedCall;
}

type Args = Record<string, unknown>;

const maxDepth = 200;

export function createArgumentCheck(tools: ToolRegistry, regExp: LimitedPatterns): ArgumentCheck {
  // Compiled on the first call of each tool, because compiling takes milliseconds.
  const shared = { allErrors: true, verbose: true, code: { regExp } };
  const filling = createSchemaCompiler({ ...shared, useDefaults: true });
  const plain = createSchemaCompiler(shared);

  function value(name: string, args: unknown, isModels = false): CheckedCall {
    const tool = tools.find(name);
    if (!tool) return unknownTool(name);
    if (!isRecord(args)) {
      return { ok: false, error: `The arguments of ${name} must be one JSON object, not ${Array.isArray(args) ? 'an array' : `a ${typeof args}`}.` };
    }
    const fault = findFault(args);
    if (fault !== undefined) return { ok: false, error: `The arguments of ${name} ${fault}` };
    return fit(tool, copyJson(args as Args), isModels);
  }

  function fit(tool: RegisteredTool, args: Args, isModels: boolean): CheckedCall {
    try {
      if (isModels) leaveOutEmpty(args, tool.input as Args);
      const validate = (isModels ? filling : plain)(tool.input);
      if (validate(args) || repairArgs(args, validate, isModels)) {
        const fault = findFault(args);
        return fault === undefined ? { ok: true, tool, args } : { ok: false, error: `The arguments of ${tool.name} ${fault}` };
      }
      return {
        ok: false,
        error: `${tool.name} was not run: invalid arguments:\n${explainErrors(validate.errors ?? [])}`,
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
      error: `Unknown tool '${textStart(name, 100)}'.`,
      hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : 'Use one of the tools described to you.',
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

/** Returns the error in arguments that other code cannot process: a key that could change a prototype, or nesting that is too deep. */
function findFault(root: object): string | undefined {
  const open: { value: object; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) return `are nested more than ${maxDepth} levels deep; send a flatter object.`;
    for (const key of Object.keys(value)) {
      if (key === '__proto__') return `must not use the name '${key}'.`;
      const child = (value as Args)[key];
      if (typeof child === 'object' && child !== null) open.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}
