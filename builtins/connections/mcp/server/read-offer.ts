// Converts the lists of a server to validated features; skips and reports invalid entries.
import { messageOf } from '#lib/errors';
import { createSchemaCompiler } from '#lib/foreign-schema';
import { isRecord } from '#lib/values';
import { cleanSchema } from './clean-schema.ts';
import { cutLine, cutText } from './foreign-text.ts';
import { longestDescription, mostTools } from '../limits.ts';
import type { OfferedTool } from './offer.ts';
import { readParamHeaders } from '../transport/param-headers.ts';

export interface ToolList {
  readonly tools: readonly OfferedTool[];
  readonly faults: readonly string[];
}

const mostFaults = 20;
const longestName = 1_000;

/**
 * @param listed tools as sent by the server
 * @param mayWantHeaders whether tools of this server can require headers; otherwise such requirements are ignored
 */
export function readTools(listed: readonly unknown[], mayWantHeaders = false): ToolList {
  const tools = new Map<string, OfferedTool>();
  const faults: string[] = [];
  const compile = createSchemaCompiler();
  for (const one of listed) {
    const read = readTool(one, compile, mayWantHeaders);
    if (typeof read === 'string') faults.push(read);
    else if (tools.has(read.name)) faults.push(`'${cutLine(read.name, 60)}' is listed twice; the first one is used.`);
    else if (tools.size >= mostTools) faults.push(`'${cutLine(read.name, 60)}' is left out: a server may have at most ${mostTools} tools.`);
    else tools.set(read.name, read);
  }
  return { tools: [...tools.values()], faults: faults.slice(0, mostFaults) };
}

/** Returns a sentence for an unusable tool. */
function readTool(one: unknown, compile: (schema: object) => unknown, mayWantHeaders: boolean): OfferedTool | string {
  if (!isRecord(one) || typeof one['name'] !== 'string' || one['name'] === '') return 'A tool without a name is left out.';
  const name = one['name'];
  const short = cutLine(name, 60);
  if (name.length > longestName) return `'${short}' is left out: its name is too long.`;
  const cleaned = cleanSchema(one['inputSchema']);
  if (!cleaned.ok) return `'${short}' is left out: ${cleaned.why}.`;
  try {
    compile(cleaned.schema);
  } catch (fault) {
    return `'${short}' is left out: its schema is invalid (${cutLine(messageOf(fault), 200)}).`;
  }
  const headers = mayWantHeaders && isRecord(one['inputSchema']) ? readParamHeaders(one['inputSchema']) : [];
  if (typeof headers === 'string') return `'${short}' is left out: ${headers}.`;
  const hints = isRecord(one['annotations']) ? one['annotations'] : {};
  const execution = isRecord(one['execution']) ? one['execution'] : {};
  return {
    name,
    description: describe(one, name),
    input: cleaned.schema,
    isReadOnly: hints['readOnlyHint'] === true,
    isIdempotent: hints['idempotentHint'] === true,
    isTask: execution['taskSupport'] === 'required',
    ...(headers.length === 0 ? {} : { headers }),
  };
}

function describe(one: Record<string, unknown>, name: string): string {
  const text = [one['description'], one['title'], name].find((part) => typeof part === 'string' && part.trim() !== '');
  return cutText(String(text), longestDescription).trim() || 'A tool without a description.';
}
