// Defines read-only programs as data: flags that neither change nor start anything, and allowed operands.
import type { KnownFlags } from '#lib/known-flags';

export interface HarmlessProgram extends KnownFlags {
  /**
   * Meaning of the other words. `paths`: paths inside the workspace. `files`: regular files inside the workspace. `pattern-paths`: a pattern, followed by paths. `find`: paths, followed by tests. A regular
   * expression must match each operand.
   */
  readonly operands: 'paths' | 'files' | 'pattern-paths' | 'find' | 'none' | RegExp;
  /** Whether the program needs a flag, because it would start something without one. */
  readonly needsFlag?: boolean;
}

const never = /(?!)/;
const any = /^/;
const count = /^\d{1,9}$/;
const version: HarmlessProgram = { flags: /^--version$/, operands: 'none', needsFlag: true };
const checksum: HarmlessProgram = { flags: /^-b$/, operands: 'paths' };

export const harmlessPrograms: Readonly<Record<string, HarmlessProgram>> = {
  ls: { flags: /^(-[aAlhtrRS1FdGpn]+|--all|--almost-all|--recursive|--human-readable|--group-directories-first|--color=never)$/, operands: 'paths' },
  cat: { flags: /^-[nbsAetvTE]+$/, operands: 'paths' },
  head: { flags: /^(-[nc]\d+|-\d+|-[qv])$/, valued: [[/^-[nc]$/, /^-?\d{1,9}$/]], operands: 'paths' },
  tail: { flags: /^(-[nc]\d+|-\d+|-[qv])$/, valued: [[/^-[nc]$/, /^[-+]?\d{1,9}$/]], operands: 'paths' },
  wc: { flags: /^-[lwcmL]+$/, operands: 'paths' },
  du: { flags: /^(-[shakmc]+|-d\d+|--max-depth=\d+)$/, operands: 'paths' },
  stat: { flags: never, operands: 'paths' },
  // Excludes the flags for a magic file and for compiling one.
  file: { flags: /^-[bi]+$/, operands: 'paths' },
  // Excludes -R, which follows links out of the workspace, and the flags for patterns from files and for decompression programs.
  grep: {
    flags: /^(-[EFGPincvlLhHowqsxr]+|-[ABCm]\d+|--(include|exclude|exclude-dir)=[^/]+|--color=never|--line-number|--count|--ignore-case)$/,
    valued: [[/^-[ABCm]$/, count]],
    operands: 'pattern-paths',
  },
  // Excludes the flags for preprocessors, decompression programs and links.
  rg: {
    flags: /^(-[FSinclwovHNs]+|-[ABCm]\d+|--files-with-matches|--count|--hidden|--no-heading|--color=never|--sort=path)$/,
    valued: [
      [/^-[ABCm]$/, count],
      [/^-g$/, any],
      [/^-t$/, /^[a-z0-9]+$/],
    ],
    operands: 'pattern-paths',
  },
  find: { flags: never, operands: 'find' },
  // Excludes -o, which writes, --compress-program, which starts programs, and --files0-from, which reads lists of files.
  sort: { flags: /^(-[bdfghiMnrsuV]+|-k\d+(\.\d+)?[bdfgMnr]*(,\d+(\.\d+)?[bdfgMnr]*)?|-t[,:;|.])$/, operands: 'paths' },
  // The program would write to a second operand.
  uniq: { flags: /^-[cdiu]+$/, operands: 'none' },
  cut: { flags: /^(-d[^/]?|-[fc][\d,-]+|-s)$/, valued: [[/^-d$/, /^.$/u], [/^-[fc]$/, /^[\d,-]+$/]], operands: 'paths' }, // prettier-ignore
  tr: { flags: /^-[cds]+$/, operands: any },
  // A comparison of folders follows links out of the workspace.
  diff: { flags: /^(-[uqwbBai]+|-U\d+|--brief|--color=never)$/, operands: 'files' },
  cmp: { flags: /^-[bls]+$/, operands: 'files' },
  realpath: { flags: never, operands: 'paths' },
  basename: { flags: never, operands: any },
  dirname: { flags: never, operands: any },
  sha256sum: checksum,
  sha1sum: checksum,
  md5sum: checksum,
  pwd: { flags: /^-[LP]$/, operands: 'none' },
  echo: { flags: /^-[neE]+$/, operands: any },
  true: { flags: never, operands: 'none' },
  false: { flags: never, operands: 'none' },
  // Without the plus sign, the program would set the clock.
  date: { flags: /^(-u|--utc|-R|-I(date|hours|minutes|seconds)?)$/, operands: /^\+/ },
  whoami: { flags: never, operands: 'none' },
  id: { flags: /^-[ugn]+$/, operands: 'none' },
  uname: { flags: /^-[amnrsv]+$/, operands: 'none' },
  which: { flags: /^-a$/, operands: /^[\w.+-]+$/ },
  node: version,
  npm: version,
  python: version,
  python3: version,
  git: version,
};

/** Tests of `find` that take no value. Tests that act, write or follow links are deliberately excluded. */
export const findTests: readonly string[] = ['-not', '-o', '-or', '-a', '-and', '-print', '-empty'];
/** Tests of `find` that take a value, with the pattern of the value. */
export const findValues: Readonly<Record<string, RegExp>> = {
  '-name': any,
  '-iname': any,
  '-path': any,
  '-type': /^[fdl]$/,
  '-maxdepth': count,
  '-mindepth': count,
  '-size': /^[+-]?\d{1,9}[ckMG]?$/,
  '-mtime': /^[+-]?\d{1,6}$/,
  '-mmin': /^[+-]?\d{1,9}$/,
};
