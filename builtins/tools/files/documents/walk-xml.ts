// Walks through XML and reports names without prefixes; expands only the five predefined entities.
import { Parser } from 'htmlparser2';

export interface XmlVisitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Walks through the XML; processes invalid XML as far as possible. */
export function walkXml(xml: string, visitor: XmlVisitor): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => visitor.open?.(withoutPrefix(name), attributes),
      ontext: (text) => visitor.text?.(text),
      onclosetag: (name) => visitor.close?.(withoutPrefix(name)),
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

/** Returns the value of an attribute, ignoring its prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => withoutPrefix(key) === name)?.[1];
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
