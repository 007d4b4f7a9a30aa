// Implements `/persona`: shows, changes, switches off and restores the character, in all clients.
import { oneLine } from '#lib/text';
import type { SlashContext } from 'agent-harness/plugins/commands';
import type { PersonaState } from '../contract.ts';
import { isSliceName } from '../store/slices.ts';
import { livingLines, livingText } from '../living.ts';
import type { OpenPersona } from '../open-persona.ts';
import { today } from './set-persona.ts';

export async function runPersonaCommand(persona: OpenPersona, { args, chatId }: SlashContext): Promise<string> {
  const { service, chatSwitch } = persona;
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
  const word = first.toLowerCase();
  switch (word) {
    case '':
    case 'show':
      return describe(await service.read(), await chatSwitch.isOff(chatId));
    case 'off':
    case 'on':
      await chatSwitch.set(chatId, word === 'off');
      return word === 'off' ? 'The persona is off in this chat. /persona on switches it on.' : 'The persona is on in this chat.';
    case 'learn':
      await service.learn(rest, `said on ${today()} in ${chatId}`);
      return `Kept: ${oneLine(rest, 200)}`;
    case 'forget':
      return forget(persona, rest);
    case 'history':
      return (await service.versions())
        .slice(0, 30)
        .map(({ version, at, label, why }) => `${version}  ${at.slice(0, 16).replace('T', ' ')}  ${label || '(none)'}: ${oneLine(why, 120)}`)
        .join('\n')
        .concat('\n/persona back <version> restores one.');
    case 'back':
      return back(persona, rest);
    case 'take':
    case 'drop':
      return decide(persona, rest, word === 'take');
    default: {
      const wish = word === 'set' ? rest : args;
      if (wish.trim() === '') return 'Describe the persona in a sentence: /persona set Dry and brief, tells me when I am wrong.';
      const { label, bootstrap } = await persona.set(wish);
      return [
        label === '' ? 'The persona was removed.' : `From the next message on: ${label}. /persona shows it, /persona back undoes it.`,
        bootstrap.notice ?? '',
      ]
        .filter((line) => line !== '')
        .join('\n');
    }
  }
}

function describe({ label, slices, bootstrap }: PersonaState, isOff: boolean): string {
  if (slices.length === 0) return 'There is no persona. Create one with /persona and a sentence: /persona Dry and brief, tells me when I am wrong.';
  const parts = slices.flatMap(({ name, text, outside }) => {
    const shown = name === 'living' ? livingLines(text).map((line, at) => `${at + 1}. ${line.text}${line.source === '' ? '' : ` (${line.source})`}`) : [text];
    const waits = outside
      ? [
          `  Its file was edited; the edit has no effect yet: "${oneLine(outside.text, 300)}". /persona take ${name} accepts it, /persona drop ${name} discards it.`,
        ]
      : [];
    return shown.length === 0 && waits.length === 0 ? [] : [`\n${name}`, ...shown, ...waits];
  });
  return [`${label || 'No persona'}${isOff ? ' (off in this chat)' : ''}`, ...(bootstrap.notice === undefined ? [] : [bootstrap.notice]), ...parts].join('\n');
}

async function forget({ service }: OpenPersona, which: string): Promise<string> {
  const living = (await service.read()).slices.find(({ name }) => name === 'living');
  const lines = livingLines(living?.text ?? '');
  const at = Number(which) - 1;
  const line = lines[at];
  if (!living || !line) return `There is no line ${which || 'without a number'}; /persona shows them.`;
  await service.edit('living', { text: livingText(lines.filter((one) => one !== line)), base: living.revision });
  return `Forgotten: ${line.text}`;
}

async function back({ service }: OpenPersona, which: string): Promise<string> {
  const [, before] = await service.versions();
  const version = which === '' ? before?.version : Number(which);
  if (version === undefined || !Number.isSafeInteger(version)) return 'There is no earlier version. /persona history lists the versions.';
  const { label } = await service.restore(version);
  return `Restored version ${version}: ${label || 'no persona'}.`;
}

async function decide({ service }: OpenPersona, name: string, isTaken: boolean): Promise<string> {
  const outside = isSliceName(name) ? (await service.read()).slices.find((one) => one.name === name)?.outside : undefined;
  if (!isSliceName(name) || !outside) return 'This part has no edit to decide about; /persona shows such parts.';
  await service.decideOutside(name, { hash: outside.hash, isTaken });
  return isTaken ? `Accepted: ${name} has the text of its file.` : `Discarded: ${name} is unchanged, and its file was restored.`;
}
