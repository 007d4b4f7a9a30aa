// Converts one block of Markdown to elements. Raw HTML stays text except for a few harmless tags; the given components render links and images.
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { joinMarkup, type Markup } from './harmless-markup.ts';
import { isMath, lexInline, lexMarkdown, type MathToken } from '#lib/markdown';
import { Formula } from './formula.tsx';
import { Code, CodeWord, Heading, Link, Picture, Table, Task, Words } from './markdown-parts.tsx';
import { t } from '../t.ts';

/** Data that a block needs from the rest of the text. */
export interface References {
  /** Link definitions, as Markdown. */
  readonly definitions: string;
  /** Ids of footnotes in the order of their numbers. */
  readonly notes: readonly string[];
}

/** Converts a block to elements. Throws if the nesting is too deep. */
export function readMarkdown(text: string, { definitions, notes }: References): ReactNode {
  const tokens = lexMarkdown(definitions === '' ? text : `${text}\n\n${definitions}`);
  return drawAll(tokens, notes);
}

function drawAll(tokens: readonly Token[] | undefined, notes: readonly string[]): ReactNode {
  return (
    tokens &&
    joinMarkup(tokens).map((one, index) => (
      <Fragment key={index}>{one.markup ? drawMarkup(one.markup, notes) : draw(one.token as MarkedToken, notes)}</Fragment>
    ))
  );
}

function drawMarkup({ tag, title, tokens }: Markup, notes: readonly string[]): ReactNode {
  if (tag === 'br') return <br />;
  if (tag !== 'details') return createElement(tag, undefined, drawAll(tokens, notes));
  return (
    <details className="md-details">
      <summary>{title === '' ? t('More') : drawAll(lexInline(title), notes)}</summary>
      {drawAll(tokens, notes)}
    </details>
  );
}

function draw(token: MarkedToken | MathToken, notes: readonly string[]): ReactNode {
  if (isMath(token)) return <Formula {...token} />;
  const inside = (): ReactNode => drawAll('tokens' in token ? token.tokens : undefined, notes);
  switch (token.type) {
    case 'paragraph':
      return <p dir="auto">{inside()}</p>;
    case 'heading':
      return <Heading level={token.depth}>{inside()}</Heading>;
    case 'list':
      return drawList(token, notes);
    case 'blockquote':
      return <blockquote>{inside()}</blockquote>;
    case 'code':
      return <Code>{token.text}</Code>;
    case 'table':
      return drawTable(token, notes);
    case 'hr':
      return <hr />;
    case 'html':
      return token.block ? <p className="md-plain">{token.text.trimEnd()}</p> : token.text;
    case 'text':
      return token.tokens ? inside() : withNotes(decodeText(token.text), notes);
    case 'escape':
      return token.text;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'em':
      return <em>{inside()}</em>;
    case 'del':
      return <del>{inside()}</del>;
    case 'codespan':
      return <CodeWord text={token.text} />;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={decodeText(token.href)}>{inside()}</Link>;
    case 'image':
      return <Picture src={decodeText(token.href)} alt={decodeText(token.text)} />;
    case 'checkbox':
      return <Task isDone={token.checked} />;
    // Blank lines and definitions.
    case 'space':
    case 'def':
      return null;
    default:
      return token.raw;
  }
}

function drawList({ ordered, start, items, loose }: Tokens.List, notes: readonly string[]): ReactNode {
  const drawn = items.map((item, index) => (
    <li key={index} dir="auto" className={item.task ? 'task-list-item' : undefined}>
      {item.tokens.map((token, at) => (
        <Fragment key={at}>
          {token.type === 'text' && (loose || item.loose) ? <p dir="auto">{draw(token as MarkedToken, notes)}</p> : draw(token as MarkedToken, notes)}
        </Fragment>
      ))}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function drawTable({ header, align, rows }: Tokens.Table, notes: readonly string[]): ReactNode {
  const style = (column: number): object => (align[column] ? { style: { textAlign: align[column] } } : {});
  return (
    <Table>
      <thead>
        <tr>
          {header.map((cell, column) => (
            <th key={column} {...style(column)}>
              {drawAll(cell.tokens, notes)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column} {...style(column)}>
                {drawAll(cell.tokens, notes)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Replaces footnote references with their numbers. */
function withNotes(text: string, notes: readonly string[]): ReactNode {
  if (notes.length === 0 || !text.includes('[^')) return <Words text={text} />;
  return text.split(/\[\^([^\]\s]+)\]/).map((part, index) => {
    if (index % 2 === 0) return part;
    const number = notes.indexOf(part) + 1;
    return number === 0 ? `[^${part}]` : <sup key={index}>{number}</sup>;
  });
}

/** Decodes `&amp;`, `&#38;` and `&#x26;`. */
function decodeText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}
