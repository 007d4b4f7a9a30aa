// The settings that a what-if changes: those of the loop of a turn, for which a record can answer, and those of plugins, which have to be asked. Pure.
import type { KernelControl } from 'agent-harness/kernel';
import type { LoopConfig } from 'agent-harness/plugins/agent';

const fieldOf: Readonly<Record<string, 'maxRounds' | 'lengthResumes' | 'maxTokens' | 'effort'>> = {
  AGENT_MAX_ROUNDS: 'maxRounds',
  AGENT_LENGTH_RESUME_MAX: 'lengthResumes',
  AGENT_MAX_COMPLETION_TOKENS: 'maxTokens',
  AGENT_REASONING_EFFORT: 'effort',
};

export interface SplitSettings {
  readonly ofLoop: Partial<LoopConfig>;
  /** Variable → text. */
  readonly ofPlugins: Readonly<Record<string, string>>;
}

/** What is another one, or a sentence that says why that cannot be. @param settings variable → text */
export function splitSettings(
  settings: Readonly<Record<string, string>>,
  { fields, checkValue }: Pick<KernelControl, 'fields' | 'checkValue'>,
): SplitSettings | { readonly problem: string } {
  const ofLoop: Record<string, number | string> = {};
  const ofPlugins: Record<string, string> = {};
  for (const [name, text] of Object.entries(settings)) {
    const field = fields().find(({ key }) => key === name);
    if (!field) return { problem: `There is no setting '${name}'; 'app settings list' lists them.` };
    if (field.schema['secret'] === true) return { problem: `'${name}' is a secret, and a turn is played without secrets.` };
    const why = checkValue(name, text);
    if (why !== undefined) return { problem: `${name} ${why}` };
    const known = fieldOf[name];
    if (known === undefined) ofPlugins[name] = text;
    else ofLoop[known] = known === 'effort' ? text : Number(text);
  }
  return { ofLoop, ofPlugins };
}
