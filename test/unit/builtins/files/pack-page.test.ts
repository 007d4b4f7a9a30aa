// Tests packing of a page with its neighbouring files.
import { expect, test } from 'vitest';
import { sealedGuard } from '#lib/sealed-guard';
import { packPage } from '../../../../builtins/tools/files/viewing/pack-page.ts';

const files: Readonly<Record<string, string>> = {
  'site/a.css': 'a{b:url("../dot.png")}@import url(b.css) print;',
  'site/b.css': 'b{}',
  'dot.png': 'dot',
  'site/a.js': 'a("</script><!--")',
  '.env': 'KEY',
};
const asked: string[] = [];
const read = (path: string): Buffer | undefined => {
  asked.push(path);
  return files[path] === undefined ? undefined : Buffer.from(files[path]);
};
const pack = (html: string, hasScripts = true): string =>
  packPage(html, 'site/index.html', { read, ...(hasScripts ? { nonce: 'n' } : {}) }).replace(`<script nonce="n">${sealedGuard}</script>`, '');
const dot = `data:image/png;base64,${Buffer.from('dot').toString('base64')}`;

test('inlines style sheets, scripts and images', () => {
  expect(pack('<link rel=stylesheet href="a.css?x" media="screen">')).toBe(`<style media="screen">a{b:url("${dot}")}@media print { b{} }</style>`);
  expect(pack('<p><script src=a.js></script>')).toBe('<p><script nonce="n">a("<\\/script><\\!--")</script>');
  expect(pack('<script defer src=a.js></script><body>x</body>')).toBe('<body>x<script nonce="n">a("<\\/script><\\!--")</script></body>');
  expect(pack('<img alt=a src="/dot.png"><p style="background: url(../dot.png)">')).toBe(`<img alt=a src="${dot}"><p style="background: url('${dot}')">`);
});

test('keeps references to remote files, other file types and disabled scripts, and reads none of them', () => {
  asked.length = 0;
  for (const html of [
    '<img src="https://example.org/a.png"><img src="//example.org/a.png"><img src="../../../etc/a.png"><img src="%zz.png">',
    '<img src="../.env"><a href="b.html">b</a>',
  ]) {
    expect(pack(html)).toBe(html);
  }
  expect(pack('<script src="../.env"></script><script>const src = "a.js"</script>')).toBe(
    '<script src="../.env"></script><script nonce="n">const src = "a.js"</script>',
  );
  expect(pack('<script src=a.js></script>', false)).toBe('<script src=a.js></script>');
  expect(asked).toEqual([]);
});

test('removes links that are not inlined, because browsers resolve some of their hosts despite the policy', () => {
  for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'modulepreload', 'icon', 'stylesheet', 'manifest', 'x PRECONNECT', ''])
    for (const hasScripts of [true, false]) expect(pack(`a<LINK rel="${rel}" href="//words.example.org">b`, hasScripts)).toBe('ab');
});

test('removes elements that create a browsing context, and disables declarative shadow roots', () => {
  for (const name of ['iframe', 'IFRAME', 'frame', 'frameset', 'object', 'embed', 'fencedframe', 'portal', 'base'])
    for (const hasScripts of [true, false]) expect(pack(`a<${name} srcdoc="<p>x" src=about:blank data=x>b`, hasScripts)).toBe('ab');
  expect(pack('<p><template ShadowRootMode=closed></template>')).toBe('<p><template data-shadow=closed></template>');
});

test('the guard is the first script of a page with scripts, and absent from other pages', () => {
  const guard = `<script nonce="n">${sealedGuard}</script>`;
  const first = (html: string): string => packPage(html, 'site/index.html', { read, nonce: 'n' });
  expect(first('\uFEFF \n<!DOCTYPE html><p>x')).toBe(`\uFEFF \n<!DOCTYPE html>${guard}<p>x`);
  // A comment can end earlier than it seems.
  for (const start of ['<!--><script>x()</script>--><!doctype html>', '<?xml?><!doctype html>', '<script>x()</script><!doctype html>', 'x<!doctype html>', ''])
    expect(first(start).startsWith(guard)).toBe(true);
  expect(packPage('<p>x', 'site/index.html', { read })).toBe('<p>x');
  expect(first('<script nonce="other" src=a.js></script><SCRIPT NONCE=x>y</SCRIPT>')).toContain('<script nonce="n">a(');
});
