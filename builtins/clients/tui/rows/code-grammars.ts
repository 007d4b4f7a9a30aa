// Maps grammar scopes to terminal styles. Uses only those of the 16 theme colours that are readable on dark and light backgrounds.
import core from 'highlight.js/lib/core';
import type { Emitter, LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { merge } from '../screen/wrap.ts';
import { spanOf, styles, type Row, type Span, type Style } from '../screen/spans.ts';

/**
 * Returns the coloured lines. `isClosed`: no construct is open at the end, so the following text can be parsed separately. `undefined`: the text cannot be
 * parsed.
 */
export type Painter = (text: string) => { readonly rows: readonly Row[]; readonly isClosed: boolean } | undefined;

const known: Readonly<Record<string, LanguageFn>> = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, graphql, ini, java, javascript, json, kotlin, lua, makefile, php, python, ruby, rust },
  ...{ shell, sql, swift, typescript, xml, yaml },
};

/** Styles by the first part of a scope name; other scopes inherit the surrounding style. */
const looks: Readonly<Record<string, Style>> = {
  ...{ comment: styles.dim, quote: styles.dim, meta: styles.dim },
  ...{ keyword: styles.magenta, literal: styles.magenta, selector: styles.magenta, operator: styles.plain },
  ...{ string: styles.green, regexp: styles.green, addition: styles.green, bullet: styles.green },
  ...{ number: styles.yellow, symbol: styles.yellow, variable: styles.plain, subst: styles.plain, params: styles.plain },
  ...{ title: styles.cyan, name: styles.cyan, type: styles.cyan, built_in: styles.cyan, attr: styles.cyan, attribute: styles.cyan, property: styles.cyan },
  ...{ deletion: styles.red, section: styles.bold, strong: styles.bold, emphasis: styles.italic },
};

/** Collects text pieces with their style. */
class Pieces implements Emitter {
  readonly all: { readonly text: string; readonly style: Style }[] = [];
  readonly #open: Style[] = [];

  addText(text: string): void {
    if (text !== '') this.all.push({ text, style: this.#style });
  }

  startScope(name: string): void {
    this.#open.push(looks[/^[a-z_]+/.exec(name)?.[0] ?? ''] ?? this.#style);
  }

  endScope(): void {
    this.#open.pop();
  }

  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(inner: Emitter): void {
    if (inner instanceof Pieces) for (const { text, style } of inner.all) this.all.push({ text, style: style === '' ? this.#style : style });
  }

  finalize(): void {
    this.#open.length = 0;
  }

  toHTML(): string {
    return '';
  }

  get #style(): Style {
    return this.#open.at(-1) ?? '';
  }
}

const reader = core.newInstance();
reader.configure({ __emitter: Pieces });
for (const [name, language] of Object.entries(known)) reader.registerLanguage(name, language);

/** Returns the highlighter for a language; `undefined` for an unknown language. @param language name or alias, such as `ts` */
export function painterOf(language: string): Painter | undefined {
  if (!reader.getLanguage(language)) return undefined;
  return (text) => {
    const { _emitter: pieces, _top: top, illegal, errorRaised } = reader.highlight(text, { language, ignoreIllegals: true });
    if (!(pieces instanceof Pieces) || illegal || errorRaised) return undefined;
    // At the top level of the grammar, no construct is open.
    return { rows: rowsOf(pieces), isClosed: top !== undefined && !('parent' in top && top.parent) };
  };
}

function rowsOf({ all }: Pieces): Row[] {
  const rows: Span[][] = [[]];
  for (const { text, style } of all) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) rows.push([]);
      if (part !== '') rows.at(-1)?.push(spanOf(part, style));
    }
  }
  return rows.map(merge);
}
