// The kinds of commands that a person may let through together: those that begin with the same program and what it is told to do.
import type { RunCommandArgs } from './inputs.ts';
import { parseCommands } from './parse-commands.ts';

/** What a program is told to do, and no file, flag or number: `run`, `build:page`. */
const subcommand = /^[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*$/;
const mostWords = 3;

/** These run, or reach, whatever they are given, so that their name says nothing about a call. */
const anything: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'csh', 'tcsh', 'busybox', 'pwsh', 'cmd', 'powershell'],
  ...['env', 'sudo', 'doas', 'su', 'xargs', 'nohup', 'setsid', 'time', 'timeout', 'nice', 'ionice', 'stdbuf', 'watch', 'parallel', 'flock', 'strace', 'script'],
  ...['eval', 'exec', 'command', 'builtin', 'source', '.', 'trap', 'alias', 'export', 'set'],
  ...['node', 'deno', 'bun', 'tsx', 'python', 'python2', 'python3', 'pypy', 'perl', 'ruby', 'php', 'lua', 'awk', 'gawk', 'sed', 'osascript', 'expect'],
  ...['npx', 'bunx', 'pnpx', 'uvx', 'pipx', 'find', 'fd', 'ssh', 'docker', 'podman', 'kubectl', 'tmux', 'screen', 'vi', 'vim', 'nvim', 'emacs', 'ed'],
  ...['rm', 'rmdir', 'dd', 'mkfs', 'shred', 'chmod', 'chown', 'mv', 'ln', 'cp', 'tee', 'install', 'tar', 'zip', 'rsync', 'scp', 'curl', 'wget', 'nc', 'socat'],
]);
/** Their second word does. */
const anythingAfter: ReadonlySet<string> = new Set(['dlx', 'exec', 'x', 'eval', 'foreach', 'alias', 'config']);
/** What these do stands in their first word, so that their name alone is no kind. */
const manyThings: ReadonlySet<string> = new Set([
  ...[
    'git',
    'hg',
    'svn',
    'gh',
    'glab',
    'npm',
    'pnpm',
    'yarn',
    'pip',
    'pip3',
    'uv',
    'poetry',
    'conda',
    'cargo',
    'go',
    'dotnet',
    'gem',
    'bundle',
    'composer',
    'brew',
  ],
  ...[
    'apt',
    'apt-get',
    'dnf',
    'yum',
    'pacman',
    'apk',
    'snap',
    'systemctl',
    'service',
    'launchctl',
    'terraform',
    'helm',
    'aws',
    'gcloud',
    'az',
    'rails',
    'mix',
    'nix',
  ],
]);

/**
 * Narrowest first: `npm run build …`, `npm run …`. Only of one plain command in the sandbox's usual bounds: with network, in the background, or
 * with leave to change what other programs obey it is a call of its own.
 */
export function kindsOf({ command, cwd, background, network, changesSettings }: RunCommandArgs): string[] {
  // Other shells read lines in other ways.
  if (process.platform === 'win32') return [];
  if (background === true || network === true || changesSettings === true) return [];
  const [words, ...others] = parseCommands(command) ?? [];
  if (!words || others.length > 0) return [];
  const [program = '', ...rest] = words;
  // A name, and no path: what lies there may be another program tomorrow. And no assignment.
  if (!/^[A-Za-z0-9][A-Za-z0-9_.+-]*$/.test(program) || anything.has(program.replace(/[\d.]+$/, '')) || anything.has(program)) return [];
  const told: string[] = [];
  for (const word of rest.slice(0, mostWords - 1)) {
    if (!subcommand.test(word)) break;
    if (anythingAfter.has(word)) return [];
    told.push(word);
  }
  const kinds = told.map((_, at) => [program, ...told.slice(0, told.length - at)]);
  if (!manyThings.has(program)) kinds.push([program]);
  // The same words do something else in another folder.
  const place = cwd === undefined || cwd === '.' ? '' : ` in ${cwd}`;
  return kinds.map((kind) => `${kind.join(' ')} …${place}`);
}
