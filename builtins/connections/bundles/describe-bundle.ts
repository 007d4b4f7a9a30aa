// Describes a bundle or a workspace's `.claude` before the user trusts it: lists all commands that would run and all texts for the model.
import { showHidden } from '#lib/hidden-text';
import { textStart } from '#lib/text';
import { describeCounts, type Bundle } from './bundle.ts';

/** Maximum total length of all texts. */
const maxText = 24_000;

export function describeBundle(bundle: Bundle): string {
  const { hooks, commands, skills, leftOut, files, hasServers } = bundle;
  const parts = [
    ...hooks.map(({ event, matcher, command, timeoutMs }) => {
      return `runs at ${event}${matcher === '' ? '' : ` of ${JSON.stringify(matcher)}`}, at most ${timeoutMs / 1000} s:\n  ${JSON.stringify(command)}`;
    }),
    ...commands.map(({ name, text }) => `/${name} sends this text to the model:\n${text.replace(/^/gm, '  ')}`),
    ...(skills.length === 0 ? [] : [`skills: ${skills.join(', ')}`]),
    ...(hasServers ? ['MCP servers: those of its .mcp.json'] : []),
    ...leftOut.map((why) => `left out: ${why}`),
    `files, all of which are trusted:\n${[...files].map(([path, bytes]) => `  ${path} (${bytes.length} bytes)`).join('\n')}`,
    ...scriptsOf(files).map(([path, text]) => `--- ${path}\n${text}`),
  ];
  const whole = showHidden(parts.join('\n\n'));
  return whole.length <= maxText
    ? whole
    : `${textStart(whole, maxText)}\n[… ${whole.length - maxText} more characters; read the files in ${bundle.root} themselves]`;
}

export function titleOf(bundle: Bundle): string {
  return bundle.isOwn ? `The bundle ${bundle.name}: ${describeCounts(bundle)}` : `${describeCounts(bundle)} of .claude`;
}

/** Returns the files that contain text; scripts of hooks precede texts for the model. */
function scriptsOf(files: Bundle['files']): [path: string, text: string][] {
  const texts = [...files].filter(([path, bytes]) => !bytes.includes(0) && !path.startsWith('.claude/settings') && !/(^|\/)commands\//.test(path));
  const rank = (path: string): number => Number(path.endsWith('.md'));
  return texts.sort(([one], [other]) => rank(one) - rank(other)).map(([path, bytes]) => [path, bytes.toString('utf8').trim()]);
}
