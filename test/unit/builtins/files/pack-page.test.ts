// A page with what lies beside it: what is taken in, and what is left as it stands.
import { expect, test } from 'vitest';
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
const pack = (html: string, hasScripts = true): string => packPage(html, 'site/index.html', { read, hasScripts });
const dot = `data:image/png;base64,${Buffer.from('dot').toString('base64')}`;

test('style sheets, scripts and pictures beside the page stand in it', () => {
  expect(pack('<link rel=stylesheet href="a.css?x" media="screen">')).toBe(`<style media="screen">a{b:url("${dot}")}@media print { b{} }</style>`);
  expect(pack('<p><script src=a.js></script>')).toBe('<p><script>a("<\\/script><\\!--")</script>');
  expect(pack('<script defer src=a.js></script><body>x</body>')).toBe('<body>x<script>a("<\\/script><\\!--")</script></body>');
  expect(pack('<img alt=a src="/dot.png"><p style="background: url(../dot.png)">')).toBe(`<img alt=a src="${dot}"><p style="background: url('${dot}')">`);
});

test('what is elsewhere, is no such file, or may not run is left as it stands, and nothing outside is asked for', () => {
  asked.length = 0;
  for (const html of [
    '<img src="https://example.org/a.png"><img src="//example.org/a.png"><img src="../../../etc/a.png"><img src="%zz.png">',
    '<img src="../.env"><link rel=stylesheet href="../.env"><script src="../.env"></script>',
    '<link rel="icon" href="../dot.png"><script>const src = "a.js"</script><a href="b.html">b</a>',
  ]) {
    expect(pack(html)).toBe(html);
  }
  expect(pack('<script src=a.js></script>', false)).toBe('<script src=a.js></script>');
  expect(asked).toEqual([]);
});
