// How much of an article comes out of pages as news sites build them, and how little of what stands around it: F1 over words.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWeb, readWhole, type WebWorld } from './web-world.ts';
import { f1 } from './word-score.ts';

const worlds: Record<'plain' | 'default' | 'raised', WebWorld> = {} as never;
beforeAll(async () => {
  worlds.plain = await openWeb();
  worlds.default = await openWeb({ AGENT_WEB_READABILITY: '1' });
  worlds.raised = await openWeb({
    AGENT_WEB_READABILITY: '1',
    AGENT_WEB_FETCH_MAX_PREPROCESS_CHARS: '2000000',
    AGENT_WEB_FETCH_READABILITY_MAX_INPUT_CHARS: '250000',
  });
  for (const web of Object.values(worlds))
    pages.forEach(({ html }, index) =>
      web.server.on(`/page-${index}`, (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html)),
    );
});
afterAll(async () => {
  for (const web of Object.values(worlds)) await web.close();
});

const nouns =
  'river stone bridge winter market lantern garden copper window station harbour meadow engine letter mountain council school orchard ferry tower'.split(' ');
const sentence = (seed: number): string =>
  `The ${nouns[seed % 20]} beside the ${nouns[(seed * 7 + 3) % 20]} was shown to visitors in ${1800 + (seed % 200)}, who wrote about the ${nouns[(seed * 13 + 5) % 20]}, its keepers, and what became of it.`;
const prose = (seed: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${sentence(seed + index * 3)} ${sentence(seed + index * 3 + 1)} ${sentence(seed + index * 3 + 2)}`);
const links = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `<li><a href="/${word}/${index}">${word} ${index}</a></li>`).join('');

const around = {
  script: (chars: number): string => `<script type="application/json">${JSON.stringify({ state: 'word '.repeat(chars / 5) })}</script>`,
  gallery: `<div class="gallery"><h3>Gallery</h3>${Array.from({ length: 9 }, (_, index) => `<figure><img src="/${index}.jpg"><figcaption>Picture ${index} of the gallery, by somebody</figcaption></figure>`).join('')}</div>`,
  comments: (count: number): string =>
    `<div id="comments" class="comments"><h3>Comments</h3>${Array.from({ length: count }, (_, index) => `<div class="comment"><b>reader ${index}</b><p>I do not believe a word of it, and neither should anybody else, number ${index}.</p></div>`).join('')}</div>`,
  newsletter: `<div class="newsletter promo"><h4>Our letter</h4><p>Every morning the best of the paper, free, in your box. Give your address below, and confirm it.</p><form><input type="email"><button>Join</button></form></div>`,
  related: `<div class="related-stories"><h3>More stories</h3><ul>${links('story', 12)}</ul></div>`,
  player: `<div class="player-overlay"><button>Play</button><button>Mute</button><video src="/v.mp4">Your browser shows no films</video><p class="hidden" hidden>Film starts in five seconds</p></div>`,
  menu: `<nav><ul>${links('section', 25)}</ul></nav>`,
  footer: `<footer><ul>${links('legal', 20)}</ul><p>All rights reserved by the paper.</p></footer>`,
};

interface QualityPage {
  readonly html: string;
  readonly words: string;
}

function page(seed: number, count: number, wrap: (title: string, body: string) => string): QualityPage {
  const paragraphs = prose(seed, count);
  const title = `About the ${nouns[seed % 20]} of the town`;
  const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n');
  return { html: `<!doctype html><html><head><title>${title}</title></head><body>${wrap(title, body)}</body></html>`, words: paragraphs.join(' ') };
}

const { script, gallery, comments, newsletter, related, player, menu, footer } = around;
/** Twelve ways to build one, each with a short, a long and a very long article. */
const pages: readonly QualityPage[] = [8, 30, 170].flatMap((count, size) =>
  [
    (title: string, body: string) => `${menu}<main><article><h1>${title}</h1>${body}</article></main>${related}${footer}`,
    (title: string, body: string) => `${menu}<div class="wrap"><h1>${title}</h1><div class="article-body">${body}</div>${comments(20)}</div>${footer}`,
    (title: string, body: string) => `${script(500_000)}${menu}<div id="content"><h1>${title}</h1>${body}</div>${newsletter}${related}`,
    (title: string, body: string) => `${menu}${gallery}<div class="story"><h1>${title}</h1>${body}</div>${gallery}${footer}`,
    (title: string, body: string) => `<header>${links('top', 20)}</header><section class="post"><h1>${title}</h1>${player}${body}</section>${comments(40)}`,
    (title: string, body: string) =>
      `<div class="page"><div class="sidebar">${newsletter}<ul>${links('side', 30)}</ul></div><div class="entry"><h2>${title}</h2>${body}</div></div>`,
    (title: string, body: string) =>
      `${menu}<article><header><h1>${title}</h1></header><div>${body}</div><footer>${links('tag', 9)}</footer></article>${newsletter}${comments(15)}`,
    (title: string, body: string) =>
      `<div class="a1"><div class="b2"><h1>${title}</h1><div class="c3">${body}</div></div><div class="d4">${related}</div></div>${footer}`,
    (title: string, body: string) => `${menu}<main>${script(200_000)}<h1>${title}</h1>${script(200_000)}${body}${script(200_000)}</main>${footer}`,
    (title: string, body: string) => `<table><tr><td width="20%"><ul>${links('menu', 30)}</ul></td><td><h1>${title}</h1>${body}</td></tr></table>`,
    (title: string, body: string) => `<div style="display:none">${comments(10)}</div>${menu}<div class="text"><h1>${title}</h1>${body}</div>${newsletter}`,
    (title: string, body: string) =>
      `<div role="navigation"><ul>${links('nav', 30)}</ul></div><div role="main"><h1>${title}</h1>${body}</div><div id="disqus_thread">${comments(30)}</div>`,
  ].map((wrap, index) => page(size * 100 + index * 5, count, wrap)),
);

async function quality(web: WebWorld): Promise<number> {
  const scores: number[] = [];
  for (const [index, { words }] of pages.entries()) scores.push(f1(await readWhole(web, `/page-${index}`), words));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

test.each([
  ['plain', 0.8],
  ['default', 0.98],
  ['raised', 0.99],
] as const)('the text of pages is right under the settings %s', async (name, least) => {
  expect(await quality(worlds[name])).toBeGreaterThanOrEqual(least);
});
