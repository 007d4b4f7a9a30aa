// Renders a chat as one HTML page without scripts or external content. Text is formatted only by Markdown.
import { escapeHtml, oneLine } from '#lib/text';
import { durationText } from 'agent-harness/transcript';
import { lexMarkdown } from '#lib/markdown';
import { Marked, Parser, type Tokens } from 'marked';
import { removedLine, type ExportedChat, type ExportedEntry } from './exported-chat.ts';

const style = `
:root{color-scheme:light dark;--text:#1b1d22;--back:#fff;--soft:#f3f4f6;--muted:#565c69;--line:#d8dbe1;--link:#1d4fbf}
@media(prefers-color-scheme:dark){:root{--text:#e7e9ee;--back:#15171c;--soft:#20232b;--muted:#a5acba;--line:#363b47;--link:#93b4ff}}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.6 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.3;margin:0}h2{font-size:.9rem;margin:0 0 .25rem;color:var(--muted);font-weight:600}
article{margin:1.5rem 0}article.user{background:var(--soft);border-radius:.75rem;padding:.75rem 1rem}
.muted,time,summary{color:var(--muted);font-size:.875rem}a{color:var(--link)}
pre{overflow:auto;background:var(--soft);border-radius:.5rem;padding:.75rem;font-size:.85rem;line-height:1.5;white-space:pre-wrap}
code{font-family:ui-monospace,monospace}details{margin:.75rem 0;border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem}
summary{cursor:pointer}summary b{color:var(--text)}table{border-collapse:collapse;display:block;overflow:auto}td,th{border:1px solid var(--line);padding:.25rem .5rem}
blockquote{margin:0;padding-left:1rem;border-left:3px solid var(--line)}p{margin:.5rem 0}.text{white-space:pre-wrap}`;

const { defaults } = new Marked({
  extensions: [{ name: 'math', renderer: ({ raw }) => escapeHtml(raw) }],
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    // Images are not rendered, because a browser would fetch them from any address.
    image: ({ text }: Tokens.Image) => escapeHtml(text),
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      return /^(https?|mailto):/i.test(href.trim()) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${inner}</a>` : inner;
    },
  },
});

export function renderHtml({ chat, entries, isCut }: ExportedChat): string {
  const title = escapeHtml(oneLine(chat.title));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="muted">${time(chat.createdAt)} – ${time(chat.updatedAt)}${chat.tags.map((tag) => ` #${escapeHtml(tag)}`).join('')}</p>
${isCut === true ? '<p class="muted">The beginning is omitted.</p>' : ''}
${entries.map(blockOf).join('\n')}
</main>
</body>
</html>
`;
}

function blockOf(entry: ExportedEntry): string {
  const block = plainBlockOf(entry);
  return entry.kind !== 'note' && entry.isTakenOut === true ? `${block}\n<p class="muted">${removedLine}</p>` : block;
}

function plainBlockOf(entry: ExportedEntry): string {
  switch (entry.kind) {
    case 'user': {
      const files = (entry.files ?? []).map((name) => `<p class="muted">File: ${escapeHtml(name)}</p>`).join('');
      return `<article class="user"><h2>You · ${time(entry.at)}</h2><div class="text">${escapeHtml(entry.text)}</div>${files}</article>`;
    }
    case 'assistant': {
      const thought =
        entry.reasoning === undefined ? '' : `<details><summary>Reasoning</summary><div class="text">${escapeHtml(entry.reasoning)}</div></details>`;
      return `<article><h2>Assistant · ${time(entry.at)}</h2>${thought}${Parser.parse(lexMarkdown(entry.text), defaults)}</article>`;
    }
    case 'tool': {
      const took = entry.durationMs === undefined ? '' : `, ${durationText(entry.durationMs)}`;
      const summary = `<b>${escapeHtml(entry.name)}</b> ${escapeHtml(oneLine(entry.subject ?? '', 200))} (${entry.ok ? 'done' : 'failed'}${took})`;
      const args = entry.args === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(entry.args, undefined, 2))}</pre>`;
      return `<details><summary>${summary}</summary>${args}<pre>${escapeHtml(entry.output)}</pre></details>`;
    }
    case 'note':
      return `<p class="muted">${escapeHtml(entry.text)}</p>`;
  }
}

function time(at: string): string {
  return `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 16).replace('T', ' '))}</time>`;
}
