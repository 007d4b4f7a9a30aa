// Asks for the agent's persona at the start of a terminal chat until one is set.
import { messageOf } from '#lib/errors';
import { makeSafe } from '#lib/terminal';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { Client } from './http-client.ts';
import { makePersona } from './make-persona.ts';
import type { Paint } from './paint.ts';

export interface FirstRun {
  /** Returns whether the next line is expected to be the answer. */
  isOpen(): boolean;
  /** Asks the question if necessary. */
  ask(): void;
  /** Contract: never rejects; reports errors itself. */
  take(line: string): Promise<void>;
}

interface Config {
  readonly personaBootstrapEnabled?: boolean;
  readonly personaBootstrapPending?: boolean;
  readonly personaBootstrapAllowSkip?: boolean;
}

/** Opens the dialogue. The question is asked only at an interactive terminal. */
export async function openFirstRun(client: Client, output: CliOutput, paint: Paint, signal: AbortSignal): Promise<FirstRun> {
  const isPerson = output.isTerminal && output.isInputTerminal === true;
  // An unreachable server is reported when the first message is sent.
  const config = isPerson ? await client.call<Config>('GET', '/api/config').catch((): Config => ({})) : {};
  const canSkip = config.personaBootstrapAllowSkip !== false;
  let isOpen = config.personaBootstrapEnabled === true && config.personaBootstrapPending === true;

  const ask = (): void => output.out(`${paint.bold(canSkip ? '(Enter skips) ' : '')}> `);

  return {
    isOpen: () => isOpen,
    ask() {
      if (!isOpen) return;
      output.out('What should I be like? One sentence will do, such as: Dry and brief, tells me when I am wrong.\n');
      ask();
    },
    async take(line) {
      const input = line.trim();
      try {
        if (input !== '') {
          const { label, bootstrap } = await makePersona(client, input, paint, signal, (text) => output.out(text));
          const { error, notice } = bootstrap;
          if (label === '') throw new Error(error ?? 'No persona was created.');
          output.out(`${makeSafe(`${label}. /persona shows and changes it.${notice === undefined ? '' : ` ${notice}`}`)}\n`);
        } else if (canSkip) {
          await client.call('POST', '/api/persona/bootstrap', { skip: true });
          output.out(paint.dim('Skipped. Set it later with /persona and a sentence.\n'));
        } else {
          output.out('Answer this question first.\n');
          return ask();
        }
        isOpen = false;
      } catch (fault) {
        if (signal.aborted) return;
        output.out(paint.red(`! ${messageOf(fault)}\n`));
        isOpen = !canSkip;
        if (isOpen) ask();
      }
    },
  };
}
