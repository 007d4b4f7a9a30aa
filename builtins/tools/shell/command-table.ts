// Defines read-only commands as data: harmless flags and allowed operands.

export interface HarmlessCommand {
  /** Pattern that every argument starting with `-` must match. */
  readonly flags: RegExp;
  /** `paths`: paths inside the workspace. A regular expression must match each operand. */
  readonly operands: 'paths' | 'none' | RegExp;
}

const never = /(?!)/;
const version: HarmlessCommand = { flags: /^--version$/, operands: 'none' };

export const harmlessCommands: Readonly<Record<string, HarmlessCommand>> = {
  ls: { flags: /^(-[aAlhtrRS1FdGpn]+|--all|--almost-all|--recursive|--human-readable|--group-directories-first|--color=(never|auto))$/, operands: 'paths' },
  cat: { flags: /^-[nbsAetvTE]+$/, operands: 'paths' },
  head: { flags: /^(-[nc][+-]?\d*|-\d+|-[qv])$/, operands: 'paths' },
  tail: { flags: /^(-[nc][+-]?\d*|-\d+|-[qv])$/, operands: 'paths' },
  wc: { flags: /^-[lwcmL]+$/, operands: 'paths' },
  du: { flags: /^(-[shakmc]+|-d\d+|--max-depth=\d+)$/, operands: 'paths' },
  stat: { flags: never, operands: 'paths' },
  pwd: { flags: /^-[LP]$/, operands: 'none' },
  echo: { flags: /^-/, operands: /^/ },
  true: { flags: never, operands: 'none' },
  // Without the plus sign, the command would set the clock.
  date: { flags: /^(-u|--utc|-R|-I(date|hours|minutes|seconds)?)$/, operands: /^\+/ },
  whoami: { flags: never, operands: 'none' },
  id: { flags: /^-[ugn]+$/, operands: 'none' },
  uname: { flags: /^-[amnrsv]+$/, operands: 'none' },
  which: { flags: /^-a$/, operands: /^[\w.+-]+$/ },
  node: { flags: /^(--version|-v)$/, operands: 'none' },
  npm: version,
  python: version,
  python3: version,
};

/** Programs that are allowed only to print their version; without a flag, they would start something. */
export const needsFlag: readonly string[] = ['node', 'npm', 'python', 'python3'];

const diffFlags =
  '--cached|--staged|--stat(=\\d+)?|--name-only|--name-status|--numstat|--shortstat|--summary|--raw|--check|-p|--patch|-s|--no-patch|-U\\d+|--unified=\\d+|-w|-b|-M|-C|--word-diff(=(plain|porcelain|none))?|--no-color|--color=never|--no-ext-diff|--no-textconv|--no-renames|--';
// %G would run the program that verifies signatures.
const logFlags =
  '--oneline|-\\d+|-n\\d*|--max-count=\\d+|--graph|--all|--decorate(=(short|full|no))?|--no-decorate|--follow|--merges|--no-merges|--first-parent|--reverse|--abbrev-commit|--date=[\\w-]+|--(since|until|after|before|author|grep)=[^%]*|--(format|pretty)=((?!%G).)*';

/** Read-only subcommands of git; the git settings, which could start programs, are checked separately. */
export const harmlessGit: Readonly<Record<string, HarmlessCommand>> = {
  status: {
    flags: /^(-s|-b|-sb|--short|--branch|--long|--porcelain(=v[12])?|-u(no|normal|all)?|--untracked-files(=(no|normal|all))?|--ignored|--)$/,
    operands: 'paths',
  },
  diff: { flags: new RegExp(`^(${diffFlags})$`), operands: 'paths' },
  log: { flags: new RegExp(`^(${logFlags}|${diffFlags})$`), operands: 'paths' },
  show: { flags: new RegExp(`^(${logFlags}|${diffFlags})$`), operands: 'paths' },
  branch: { flags: /^(-a|-r|-v|-vv|-av|--all|--remotes|--list|--show-current|--verbose)$/, operands: 'none' },
  'rev-parse': { flags: /^(--show-toplevel|--abbrev-ref|--short|--is-inside-work-tree)$/, operands: /^HEAD$/ },
  'ls-files': { flags: /^(-[cdmos]|--cached|--others|--modified|--deleted|--exclude-standard|--)$/, operands: 'paths' },
};
