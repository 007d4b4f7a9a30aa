// Plans the files and commands of a menu entry for each operating system. Pure.
import { posix, win32 } from 'node:path';
import { escapeHtml } from '#lib/text';
import type { Product } from 'agent-harness/plugins/storage';

export interface Installation {
  /** Absolute path of the file of the menu entry. */
  readonly entry: string;
  readonly files: readonly { readonly path: string; readonly text: string; readonly isProgram?: boolean }[];
  readonly afterwards: readonly (readonly [string, ...string[]])[];
  readonly afterRemoval: readonly (readonly [string, ...string[]])[];
  readonly opensLinks: boolean;
}

export interface InstallationFacts {
  readonly product: Pick<Product, 'name' | 'title' | 'home'>;
  /** Absolute paths of Node and of the program. */
  readonly node: string;
  readonly main: string;
  readonly personHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function planInstallation(platform: NodeJS.Platform, facts: InstallationFacts): Installation {
  if (platform === 'darwin') return planMac(facts);
  return platform === 'win32' ? planWindows(facts) : planLinux(facts);
}

function planLinux({ product: { name, title, home }, node, main, personHome, environment }: InstallationFacts): Installation {
  const data = environment['XDG_DATA_HOME'] || posix.join(personHome, '.local/share');
  const folder = posix.join(data, 'applications');
  const entry = posix.join(folder, `${name}-desktop.desktop`);
  const icon = posix.join(data, 'icons/hicolor/scalable/apps', `${name}-desktop.svg`);
  const words = [...(isUsual(name, home, personHome) ? [] : ['env', `${variableOf(name)}=${home}`]), node, main, 'desktop'];
  const lines = [
    ...['[Desktop Entry]', 'Type=Application', `Name=${entryText(title)}`, `Exec=${words.map(entryWord).join(' ')} %u`, `Icon=${entryText(icon)}`],
    ...['Terminal=false', 'Categories=Utility;', 'StartupNotify=true', `StartupWMClass=${name}`, `MimeType=x-scheme-handler/${name};`],
  ];
  const refresh = ['update-desktop-database', folder] as const;
  return {
    entry,
    files: [
      { path: entry, text: `${lines.join('\n')}\n` },
      { path: icon, text: iconOf(title) },
    ],
    afterwards: [refresh, ['xdg-mime', 'default', `${name}-desktop.desktop`, `x-scheme-handler/${name}`]],
    afterRemoval: [refresh],
    opensLinks: true,
  };
}

function planMac({ product: { name, title, home }, node, main, personHome }: InstallationFacts): Installation {
  const entry = posix.join(personHome, 'Applications', `${fileName(title)}.command`);
  const place = isUsual(name, home, personHome) ? [] : [`export ${variableOf(name)}=${shellWord(home)}`];
  const text = ['#!/bin/sh', ...place, `exec ${[node, main, 'desktop'].map(shellWord).join(' ')}`].join('\n');
  return { entry, files: [{ path: entry, text: `${text}\n`, isProgram: true }], afterwards: [], afterRemoval: [], opensLinks: false };
}

/** Plans a shortcut for Windows. It is not a text file, so the system creates it. */
function planWindows({ product: { title, home }, node, main, personHome, environment }: InstallationFacts): Installation {
  const menu = win32.join(environment['APPDATA'] ?? win32.join(personHome, 'AppData/Roaming'), 'Microsoft/Windows/Start Menu/Programs');
  const entry = win32.join(menu, `${fileName(title)}.lnk`);
  const script = [
    `$link = (New-Object -ComObject WScript.Shell).CreateShortcut(${powerWord(entry)})`,
    `$link.TargetPath = ${powerWord(node)}`,
    `$link.Arguments = ${powerWord(`"${main}" desktop`)}`,
    `$link.WorkingDirectory = ${powerWord(home)}`,
    '$link.WindowStyle = 7',
    '$link.Save()',
  ].join('; ');
  return { entry, files: [], afterwards: [['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', script]], afterRemoval: [], opensLinks: false };
}

/** Returns whether the program uses this home folder by default. */
const isUsual = (name: string, home: string, personHome: string): boolean => home === posix.join(personHome, `.${name}`);
const variableOf = (name: string): string => `${name.toUpperCase().replaceAll('-', '_')}_HOME`;

/** Quotes a word as the desktop entry specification requires: escapes four characters and doubles `%`. */
function entryWord(word: string): string {
  const plain = word.replaceAll('%', '%%');
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : entryText(`"${plain.replaceAll(/["`$\\]/g, '\\$&')}"`);
}

const entryText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
const shellWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
const powerWord = (word: string): string => `'${word.replaceAll("'", "''")}'`;
const fileName = (title: string): string => title.replaceAll(/[\\/:*?"<>|]/g, ' ').trim();

function iconOf(title: string): string {
  const letter = escapeHtml([...title.trim()][0]?.toUpperCase() ?? '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#2b59c3"/><text x="32" y="44" font-family="sans-serif" font-size="36" font-weight="600" text-anchor="middle" fill="#fff">${letter}</text></svg>\n`;
}
