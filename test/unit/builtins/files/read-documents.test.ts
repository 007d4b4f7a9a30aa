// Tests reading of PDFs and notebooks as text.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as files from '../../../../builtins/tools/files/index.ts';
import { makePdf } from '../../../helpers/make-pdf.ts';
import { openToolBench } from './tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);

const bench = useEach(() => openToolBench({ modules: { files } }));

test('reads a PDF page by page, with line offsets', async () => {
  await writeFile(at('two.pdf'), makePdf(['The first page', 'The second page']));
  const text = await bench.output('read_file', { path: 'two.pdf' });
  expect(text).toContain('# Page 1 of 2\nThe first page');
  expect(text).toContain('# Page 2 of 2\nThe second page');
  expect(await bench.output('read_file', { path: 'two.pdf', offset: 1, limit: 1 })).toMatch(
    /^# Page 1 of 2\n\n\[lines 1 to 1 of \d+ as text; next: offset 2\]$/,
  );
  expect(await bench.error('read_file', { path: 'two.pdf', offset: 999 })).toContain('there is no line 999');
});

test('reports a PDF without text and a broken PDF', async () => {
  await writeFile(at('empty.pdf'), makePdf(['']));
  expect(await bench.output('read_file', { path: 'empty.pdf' })).toContain('probably scanned');
  await writeFile(at('cut.pdf'), makePdf(['x']).subarray(0, 60));
  expect(await bench.error('read_file', { path: 'cut.pdf' })).toContain('cannot be read');
});

test('an abort ends the read of a PDF', async () => {
  await writeFile(at('two.pdf'), makePdf(Array.from({ length: 200 }, (_, index) => `page ${index}`)));
  const abort = new AbortController();
  const running = bench.run('read_file', { path: 'two.pdf' }, { signal: abort.signal });
  abort.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
});

const notebook = {
  nbformat: 4,
  cells: [
    { cell_type: 'markdown', source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      source: 'plot()',
      outputs: [
        { output_type: 'stream', text: ['one\n', 'two'] },
        { output_type: 'display_data', data: { 'image/png': 'aGk=\n', 'text/plain': '<Figure>' } },
        { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
      ],
    },
  ],
};

test('reads a notebook cell by cell, with outputs and images', async () => {
  await writeFile(at('a.ipynb'), JSON.stringify(notebook));
  const outcome = await bench.run('read_file', { path: 'a.ipynb' });
  expect(outcome).toMatchObject({ ok: true, images: [{ mimeType: 'image/png', base64: 'aGk=' }] });
  expect(outcome.ok && outcome.output).toBe(
    ['# Cell 1 (markdown)', '# Title', 'words', '', '# Cell 2 (code)', 'plot()', '# Output', 'one', 'two', '[image 1, image/png]', 'ValueError: no', ''].join(
      '\n',
    ),
  );
});

test.each([
  ['not JSON', '{"cells": ['],
  ['not a notebook', '{"a": 1}'],
  ['a list', '[1]'],
])('reads a notebook that is %s as plain text', async (_, text) => {
  await writeFile(at('b.ipynb'), text);
  expect(await bench.output('read_file', { path: 'b.ipynb' })).toContain(text);
});

test('accepts malformed cells', async () => {
  const odd = { cells: [null, 7, {}, { cell_type: 5, source: { a: 1 }, outputs: 'x' }, { outputs: [null, { data: null }, { data: { 'image/png': 5 } }] }] };
  await writeFile(at('odd.ipynb'), JSON.stringify(odd));
  expect(await bench.output('read_file', { path: 'odd.ipynb' })).toContain('# Cell 1 (code)');
});
