// Defines the token classes of highlighted code; the worker and the page share their numbers.

export const codeClasses = ['', 'comment', 'keyword', 'string', 'number', 'title', 'type', 'added', 'removed', 'strong', 'emphasis'] as const;

const byScope: Readonly<Record<string, (typeof codeClasses)[number]>> = {
  comment: 'comment',
  quote: 'comment',
  keyword: 'keyword',
  literal: 'number',
  operator: '',
  number: 'number',
  'selector-tag': 'keyword',
  tag: '',
  name: 'title',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  symbol: 'number',
  bullet: 'number',
  title: 'title',
  section: 'title',
  'selector-id': 'title',
  'selector-class': 'type',
  type: 'type',
  built_in: 'type',
  attr: 'type',
  attribute: 'type',
  'template-variable': 'type',
  variable: 'type',
  meta: 'comment',
  doctag: 'keyword',
  addition: 'added',
  deletion: 'removed',
  strong: 'strong',
  emphasis: 'emphasis',
};

/** @param scope name used by the highlighter, without its prefix. Returns 0 for text without colour, or `undefined` to inherit the surrounding colour */
export function classOf(scope: string): number | undefined {
  const found = byScope[scope.split('.')[0] ?? ''];
  return found === undefined ? undefined : codeClasses.indexOf(found);
}
