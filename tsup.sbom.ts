// Lists the packages whose code the build puts into `dist`, as a software bill of materials (CycloneDX 1.5, `dist/sbom.cdx.json`).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin as BundlerPlugin } from 'esbuild';
import type { Plugin as PagePlugin } from 'vite';

interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
}

const root = import.meta.dirname;
const sbomPath = join(root, 'dist/sbom.cdx.json');
/** Matches the innermost package in a module path; captures its name. */
const inPackage = /^(?:.*[\\/])?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
}

const jsonAt = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** @param folder root folder of the package */
function componentOf(folder: string): Component {
  const { name, version, license } = jsonAt<Manifest>(join(folder, 'package.json'));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  // A licence with several names is an SPDX expression.
  const licenses = typeof license !== 'string' ? [] : [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...(licenses.length > 0 ? { licenses } : {}) };
}

/**
 * Adds the packages of the given modules to the bill of materials, which several builds extend.
 * @param modules paths, absolute or relative to the root of the repository
 */
function addModules(modules: Iterable<string>): void {
  const folders = new Set<string>();
  for (const path of modules) {
    const [start, name] = inPackage.exec(path.replace(/^\0|\?.*$/g, '')) ?? [];
    if (start !== undefined && name !== undefined) folders.add(resolve(root, start));
  }
  const components = new Map(readSbom().map((one) => [one.purl, one]));
  for (const folder of folders) {
    const component = componentOf(folder);
    components.set(component.purl, component);
  }
  const { name, version } = jsonAt<Manifest>(join(root, 'package.json'));
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': `pkg:npm/${name}@${version}`, name, version } },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  };
  mkdirSync(dirname(sbomPath), { recursive: true });
  writeFileSync(sbomPath, `${JSON.stringify(sbom)}\n`);
}

function readSbom(): readonly Component[] {
  try {
    return jsonAt<{ readonly components: readonly Component[] }>(sbomPath).components;
  } catch {
    return []; // the first build
  }
}

/** Lists the packages of the server. */
export const listPackages: BundlerPlugin = {
  name: 'list-packages',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => addModules(Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs))));
  },
};

/** Lists the packages of a page. */
export const listPagePackages: PagePlugin = {
  name: 'list-packages',
  generateBundle(_options, bundle) {
    addModules(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : [])));
  },
};
