// Implements the command `/remote` in a chat.
import type { SlashAnswer, SlashCommand } from 'agent-harness/plugins/commands';
import type { Principal } from 'agent-harness/plugins/http';
import type { MakeError, Remote, ShownCode } from './open-remote.ts';
import { deviceOf } from './device-of.ts';

export interface SlashParts {
  readonly load: () => Promise<Remote>;
  readonly present: () => Remote | undefined;
  /** Returns whether the request comes from the page that guests see. */
  readonly isPage: (principal: Principal | undefined) => boolean;
  readonly mayBeGuest: (principal: Principal | undefined) => boolean;
  readonly whyUnavailable: () => string | undefined;
  readonly makeError: MakeError;
}

const help = [
  '/remote shows the window of the desktop app on another device; anyone with the code sees it.',
  '/remote control: anyone with the code can also control it, once you allow it. /remote cloud, /remote cloud control: the same from outside of your network.',
  '/remote status: lists codes with their ids, and viewers. /remote revoke <id>: revokes a code. /remote off: revokes all codes of this chat.',
].join('\n');

export function createSlashCommand({ load, present, isPage, mayBeGuest, whyUnavailable, makeError }: SlashParts): SlashCommand {
  return {
    name: 'remote',
    usage: '[control | cloud | cloud control | status | revoke <id> | off]',
    summary: 'Shows the window of the desktop app on other devices, with a code.',
    isSecret: true,
    async run({ args, chatId, principal }): Promise<SlashAnswer> {
      const words = args.toLowerCase().split(/\s+/).filter(Boolean);
      const line = words.join(' ');
      if (line === 'help') return help;
      if (line === 'status') return describe(present());
      if (line === 'off') return endCodes(present(), chatId);
      if (words[0] === 'revoke') {
        if (words.length !== 2) return 'Give the id of the code: /remote revoke <id>. /remote status lists the ids.';
        return present()?.revoke(words[1] ?? '') === true ? 'The code was revoked, and its viewers were disconnected.' : 'There is no such valid code.';
      }
      if (!['', 'control', 'cloud', 'cloud control'].includes(line)) return `Unknown action '${line}'.\n${help}`;
      const why = whyUnavailable();
      if (why !== undefined) return `${why}\n${help}`;
      if (mayBeGuest(principal)) throw makeError('GUEST_ACTED');
      const remote = await load();
      const transport = line.startsWith('cloud') ? 'cloud' : 'lan';
      const shown = await remote.open({ by: deviceOf(principal), role: line.endsWith('control') ? 'control' : 'view', transport, chatId });
      const kept = textOfMade(shown);
      // Guests can read this text in the window. The window shows the code separately until a guest has joined.
      return { text: isPage(principal) ? kept : openedText(shown), kept };
    },
  };
}

/** Returns the text for the conversation, which contains nothing that would admit a guest. */
function textOfMade({ code: { role, transport, expiresAt } }: ShownCode): string {
  const what = role === 'view' ? 'see this window' : 'see this window and, once you allow it, control it';
  const from = transport === 'lan' ? 'in the same network' : 'from anywhere';
  return `A code was created with which others ${from} can ${what}, until ${timeOf(expiresAt)}. It is not shown in this conversation, but in the window and on the page Account.`;
}

function openedText({ code: { code, role, transport, expiresAt }, urls }: ShownCode): string {
  const [first = '', ...more] = urls;
  return [
    role === 'view'
      ? 'Anyone with this code sees this window, and cannot control it.'
      : 'Anyone with this code sees this window, and can control it once you allow it.',
    `Code: ${code.slice(0, 4)} ${code.slice(4)}`,
    `Open: ${first}`,
    ...(more.length > 0 ? [`Or: ${more.join(', ')}`] : []),
    `It is valid until ${timeOf(expiresAt)}. Revoke it with /remote revoke ${code}.`,
    ...(transport === 'lan' ? ['Other devices must be in the same network; the picture is not encrypted there.'] : []),
  ].join('\n');
}

/** Lists sessions without codes and links, because a guest may be watching the window. */
function describe(remote: Remote | undefined): string {
  const codes = remote?.codes() ?? [];
  if (!remote || codes.length === 0) return 'No code is valid, and there are no viewers.';
  const rows = codes.map(
    ({ code: { id, role, transport, expiresAt, isShut }, guests }) =>
      `${id}: ${role}, ${transport}, until ${timeOf(expiresAt)}, viewers: ${guests}${isShut ? ', closed to further viewers' : ''}`,
  );
  const guests = remote.guests
    .list()
    .map(({ name, address, role, state }) => `${name} (${address}): ${role}, ${state === 'waiting' ? 'requests control' : state}`);
  return [...rows, ...guests].join('\n');
}

function endCodes(remote: Remote | undefined, chatId: string): string {
  const ended = remote?.off(chatId) ?? 0;
  const left = remote?.codes().length ?? 0;
  const others = left > 0 ? ` ${left} codes of other chats are still valid: /remote status lists them.` : '';
  return ended === 0 ? `No code of this chat was valid.${others}` : `All codes of this chat are revoked, and their viewers are disconnected.${others}`;
}

const timeOf = (iso: string): string => new Date(iso).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
