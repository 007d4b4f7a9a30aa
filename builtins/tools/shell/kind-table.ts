// Defines the commands that approval rules for kinds of commands can cover, with the flags and operands that are allowed. Programs that are not listed have no
// kinds.
import type { KnownFlags } from '#lib/known-flags';

/** A command with its allowed flags. Abbreviated flags and `--flag=value` forms that are not listed do not match. */
export interface KnownCommand extends KnownFlags {
  /** Pattern that each word other than a flag must match. */
  readonly operands: RegExp;
  readonly mostOperands?: number;
}

const never = /(?!)/;
/** Matches a path inside the working directory. Excludes absolute paths, `..`, assignments, response files (`@file`) and pathspec magic (`:(top)`). */
const path = /^(?![/@~:-])(?!(?:.*\/)?\.\.(?:\/|$))[\p{L}\p{N}_./@+,^ -]+$/u;
/** Matches a name that contains no path or assignment: a script, a target, or a test. */
const name = /^[A-Za-z0-9][\w:.-]*$/;
const number = /^\d{1,9}$/;
const noOperands = { operands: never } as const;
/** A script of a package manager. All further words are passed to the script, so only the name of the script is accepted. */
const script: KnownCommand = { flags: never, operands: name, mostOperands: 1 };
const bare: KnownCommand = { flags: never, ...noOperands };

const cargo: KnownCommand = {
  flags:
    /^(-[vq]|-vv|--(all|workspace|release|all-targets|all-features|no-default-features|locked|offline|frozen|lib|bins|tests|examples|benches|doc|no-run|no-fail-fast|quiet|verbose))$/,
  operands: name,
  mostOperands: 1,
};
const go: KnownCommand = {
  flags: /^-(v|race|short|cover|failfast|count=\d+|run=[\w/^$|.]+|timeout=\d+[smh])$/,
  operands: /^\.(?!.*\/\.\.(?:\/|$))(?:\/[\w./-]*)?$/,
};
const dotnet: KnownCommand = { flags: /^--(no-restore|no-build|nologo)$/, operands: path };
const paths = (flags: RegExp, valued: KnownCommand['valued'] = []): KnownCommand => ({ flags, valued, operands: path });

/** Commands by program, or by program and subcommand. */
export const knownCommands: Readonly<Record<string, KnownCommand>> = {
  'npm run': { ...script, flags: /^(-s|--silent|--if-present)$/ },
  'npm test': { flags: /^(-s|--silent)$/, ...noOperands },
  'npm ci': bare,
  'npm install': bare,
  'pnpm run': script,
  'pnpm test': bare,
  'pnpm install': bare,
  'yarn run': script,
  'yarn test': bare,
  'yarn install': bare,
  make: {
    flags: /^(-[ksB]+|-j\d*|--(jobs|jobs=\d+|keep-going|silent|quiet|always-make))$/,
    operands: /^(?!.*(?:^|\/)\.\.(?:\/|$))[A-Za-z0-9_.][\w./-]*$/,
  },
  mkdir: paths(/^(-[pv]+|--parents|--verbose)$/),
  'git add': paths(/^(-[Auvn]+|--all|--update|--verbose|--dry-run|--)$/),
  'git commit': paths(/^(-a|-q|--all|--quiet|--message=.*)$/, [[/^(-a?m|--message)$/, /^/]]),
  'cargo build': { ...cargo, ...noOperands },
  'cargo check': { ...cargo, ...noOperands },
  'cargo clippy': { ...cargo, ...noOperands },
  'cargo test': cargo,
  'cargo fmt': { flags: /^--(all|check)$/, ...noOperands },
  'go build': { ...go, flags: /^-(v|race)$/ },
  'go test': go,
  'go vet': { ...go, flags: /^-v$/ },
  'dotnet build': dotnet,
  'dotnet test': dotnet,
  mvn: { flags: /^(-[qBo]|-DskipTests)$/, operands: /^(clean|validate|compile|test|package|verify)$/ },
  pytest: {
    flags: /^(-[qvxsl]+|--(maxfail=\d+|lf|ff|last-failed|failed-first|tb=(auto|long|short|line|native|no)|durations=\d+))$/,
    valued: [[/^-[km]$/, /^\w+( (and|or|not|and not|or not) \w+)*$/]],
    operands: /^(?![/@~:-])(?!(?:[^:]*\/)?\.\.(?:\/|:|$))[\w./@+-]+(?:::\w+)*$/,
  },
  tsc: paths(/^--(noEmit|pretty|skipLibCheck|strict)$/, [[/^(-p|--project)$/, path]]),
  eslint: paths(/^--(fix|quiet|cache|max-warnings=\d+)$/, [[/^--max-warnings$/, number]]),
  prettier: paths(/^(-[cwlu]|--(check|write|list-different|ignore-unknown))$/),
  'ruff check': paths(/^--(fix|diff|quiet)$/),
  'ruff format': paths(/^--(check|diff|quiet)$/),
};
