// Tests every parameter style, location and value type against the table in OpenAPI 3.1.1, 4.8.12.4, and the bracket fallback.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, documentWith, run, startApi, startOpenapi } from './local-api.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const kinds = {
  empty: '',
  text: 'blue',
  signs: 'a,b c;d=e',
  list: ['blue', 'black', 'brown'],
  signsInList: ['a,b', 'c d'],
  object: { R: 100, G: 200 },
  nested: { a: { b: 1, c: [2, 3] }, d: ['x', 'y'] },
  objects: [{ price: 'p_1', quantity: 2 }, { price: 'p_2' }],
  none: [],
} as const;
type Kind = keyof typeof kinds;
/** The compared part of the request. `undefined`: the call is rejected because a path parameter needs a value. */
type Row = Partial<Record<Kind, string | undefined>>;

const brackets = 'v[a][b]=1&v[a][c][0]=2&v[a][c][1]=3&v[d][0]=x&v[d][1]=y';
const rows = 'v[0][price]=p_1&v[0][quantity]=2&v[1][price]=p_2';
const form: Row = { empty: 'v=', text: 'v=blue', signs: 'v=a%2Cb%20c%3Bd%3De', objects: rows, none: '' };
const exploded: Row = {
  ...form,
  list: 'v=blue&v=black&v=brown',
  signsInList: 'v=a%2Cb&v=c%20d',
  object: 'R=100&G=200',
  nested: 'a[b]=1&a[c][0]=2&a[c][1]=3&d=x&d=y',
};
const joined = (mark: string): Row => ({
  ...form,
  list: `v=blue${mark}black${mark}brown`,
  signsInList: `v=a%2Cb${mark}c%20d`,
  object: `v=R${mark}100${mark}G${mark}200`,
});
const deep: Row = { ...form, list: 'v[0]=blue&v[1]=black&v[2]=brown', signsInList: 'v[0]=a%2Cb&v[1]=c%20d', object: 'v[R]=100&v[G]=200', nested: brackets };
const simple: Row = { empty: undefined, text: 'blue', signs: 'a%2Cb%20c%3Bd%3De', list: 'blue,black,brown', signsInList: 'a%2Cb,c%20d', none: undefined };

const cases: readonly (readonly [place: string, style: string, explode: boolean, row: Row])[] = [
  ['path', 'simple', false, { ...simple, object: 'R,100,G,200' }],
  ['path', 'simple', true, { ...simple, object: 'R=100,G=200' }],
  ['path', 'label', false, { empty: undefined, text: '.blue', list: '.blue,black,brown', signsInList: '.a%2Cb,c%20d', object: '.R,100,G,200' }],
  ['path', 'label', true, { empty: undefined, text: '.blue', list: '.blue.black.brown', signsInList: '.a%2Cb.c%20d', object: '.R=100.G=200' }],
  ['path', 'matrix', false, { empty: ';v', text: ';v=blue', list: ';v=blue,black,brown', signsInList: ';v=a%2Cb,c%20d', object: ';v=R,100,G,200' }],
  ['path', 'matrix', true, { empty: ';v', text: ';v=blue', list: ';v=blue;v=black;v=brown', signsInList: ';v=a%2Cb;v=c%20d', object: ';R=100;G=200' }],
  ['query', 'form', true, exploded],
  ['query', 'form', false, joined(',')],
  ['query', 'spaceDelimited', false, joined('%20')],
  ['query', 'spaceDelimited', true, exploded],
  ['query', 'pipeDelimited', false, joined('%7C')],
  ['query', 'pipeDelimited', true, exploded],
  ['query', 'deepObject', true, deep],
  ['query', 'deepObject', false, deep],
  ['header', 'simple', false, { text: 'blue', list: 'blue,black,brown', object: 'R,100,G,200' }],
  ['header', 'simple', true, { text: 'blue', list: 'blue,black,brown', object: 'R=100,G=200' }],
  ['cookie', 'form', false, { empty: 'v=', text: 'v=blue', list: 'v=blue,black,brown', object: 'v=R,100,G,200' }],
  ['cookie', 'form', true, { empty: 'v=', text: 'v=blue', list: 'v=blue&v=black&v=brown', object: 'R=100&G=200' }],
  ['cookie', 'cookie', true, { text: 'v=blue', list: 'v=blue; v=black; v=brown', object: 'R=100; G=200' }],
  ['form', 'form', true, exploded],
  ['form', 'form', false, joined(',')],
  ['form', 'spaceDelimited', false, joined('%20')],
  ['form', 'pipeDelimited', false, joined('%7C')],
  ['form', 'deepObject', true, deep],
  // Default without an encoding: lists repeat their name, nested objects use brackets.
  ['form', 'none', true, { ...exploded, object: deep.object ?? '', nested: brackets }],
  ['form', 'json', true, { list: 'v=["blue","black","brown"]', object: 'v={"R":100,"G":200}', objects: `v=${JSON.stringify(kinds.objects)}` }],
  ['multipart', 'deepObject', true, { list: 'v[0]=blue&v[1]=black&v[2]=brown', object: 'v[R]=100&v[G]=200', nested: brackets, objects: rows }],
  ['multipart', 'form', true, { text: 'v=blue', list: 'v=blue&v=black&v=brown', object: 'R=100&G=200' }],
  ['multipart', 'none', true, { text: 'v=blue', list: 'v=blue&v=black&v=brown', object: 'v={"R":100,"G":200}', none: '' }],
  ['multipart', 'json', true, { list: 'v=["blue","black","brown"]', object: 'v={"R":100,"G":200}' }],
];

const types: Record<string, string> = { form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' };
const nameOf = (place: string, style: string, explode: boolean): string => `${place}_${style}_${explode}`.toLowerCase();

function operation(place: string, style: string, explode: boolean): object {
  const operationId = nameOf(place, style, explode);
  const type = types[place];
  if (type === undefined) return { get: { operationId, parameters: [{ name: 'v', in: place, required: place === 'path', style, explode, schema: {} }] } };
  const encoding = style === 'none' ? {} : { encoding: { v: style === 'json' ? { contentType: 'application/json' } : { style, explode } } };
  return { post: { operationId, requestBody: { content: { [type]: { schema: { type: 'object', properties: { v: {} } }, ...encoding } } } } };
}

const api = useAll(() => startApi());
const harness = useAll(() => startOpenapi());
beforeAll(async () => {
  const paths = cases.map(([place, style, explode]) => {
    const path = `/${nameOf(place, style, explode)}${place === 'path' ? '/{v}' : ''}`;
    return [path, operation(place, style, explode)] as const;
  });
  await connect(harness, { spec: documentWith(Object.fromEntries(paths)), baseUrl: api.url });
});
beforeEach(() => void (api.asked.length = 0));

/** Decodes brackets, because both forms are equivalent. */
const plain = (text: string): string => text.replace(/%5B/g, '[').replace(/%5D/g, ']');

function seen(place: string): string | undefined {
  const [asked] = api.asked;
  if (!asked) return undefined;
  const { url, headers, body } = asked;
  if (place === 'path') return url.split('/').at(-1);
  if (place === 'query') return plain(url.split('?')[1] ?? '');
  if (place === 'header') return String(headers['v'] ?? '');
  if (place === 'cookie') return headers.cookie ?? '';
  if (place === 'form') return plain(body);
  return [...body.matchAll(/name="([^"]*)"[^]*?\r\n\r\n([^]*?)\r\n--/g)].map(([, name, value]) => `${name}=${value}`).join('&');
}

test.each(
  cases.flatMap(([place, style, explode, row]) =>
    (Object.keys(row) as Kind[]).map((kind) => [place, style, explode ? 'exploded' : 'joined', kind, row[kind], explode] as const),
  ),
)('%s, %s, %s: serializes a %s value as %s', async (place, style, _, kind, wanted, explode) => {
  const value = kinds[kind];
  await run(harness, `api_${nameOf(place, style, explode)}`, types[place] === undefined ? { v: value } : { body: { v: value } });
  const arrived = seen(place);
  expect(style === 'json' ? decodeURIComponent(arrived ?? '') : arrived).toBe(wanted);
});
