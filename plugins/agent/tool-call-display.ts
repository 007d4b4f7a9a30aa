// Computes the display data of a tool call (icon, subject) from the declarations of its tool. The result is stored with the call.
import { firstLine, textStart } from '#lib/text';
import type { RegisteredTool, ToolVerb } from 'agent-harness/plugins/tools';

export interface ShownAs {
  readonly icon?: string;
  readonly verb?: ToolVerb;
  readonly subject?: string;
}

/** Maximum length of a line in UTF-16 code units. */
const subjectLimit = 200;

/** Returns the display data of a call. @param args validated arguments; without them, the call has no subject */
export function shownAs(tool: RegisteredTool | undefined, args?: Readonly<Record<string, unknown>>): ShownAs {
  const { icon, verb } = tool?.display ?? {};
  const subject = args === undefined ? undefined : subjectOf(tool, args);
  return { ...(icon === undefined ? {} : { icon }), ...(verb === undefined ? {} : { verb }), ...(subject === undefined ? {} : { subject }) };
}

/** If a tool's subject cannot be computed, the tool is shown without a subject. */
function subjectOf(tool: RegisteredTool | undefined, args: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const said: unknown = tool?.display?.subject?.(args as never);
    if (typeof said !== 'string') return undefined;
    const line = firstLine(said);
    const cut = textStart(line, subjectLimit);
    return cut.length < said.trim().length ? `${cut}…` : cut;
  } catch {
    return undefined;
  }
}
