// The few kinds of tokens that code is coloured by; the worker and the page share the numbers.

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

/** @param scope as the highlighter names it, without its prefix; 0 is text without a colour, `undefined` one that keeps the colour around it */
export function classOf(scope: string): number | undefined {
  const found = byScope[scope.split('.')[0] ?? ''];
  return found === undefined ? undefined : codeClasses.indexOf(found);
}
