// Minimal browser for single sign-on tests: cookies per origin, redirects, automatic form submission.

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

export interface Browser {
  open(url: string, options?: { readonly login?: string; readonly stop?: (url: string) => boolean }): Promise<Page>;
  cookiesOf(url: string): string;
  setCookie(url: string, pair: string): void;
}

export function createBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string): Map<string, string> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const cookiesOf = (url: string): string => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep(url: string, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...about] = line.split(';');
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '' || about.some((one) => /max-age=0$/i.test(one.trim()))) jarOf(url).delete(name);
      else jarOf(url).set(name, value);
    }
  }

  return {
    cookiesOf,
    setCookie(url, pair) {
      jarOf(url).set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    },
    async open(first, { login = '', stop = () => false } = {}) {
      let url = first;
      let form: URLSearchParams | undefined;
      for (let step = 0; step < 20; step++) {
        if (stop(url)) return { url, status: 0, text: '' };
        const reply: Response = await fetch(url, {
          method: form ? 'POST' : 'GET',
          redirect: 'manual',
          headers: { accept: '*/*', cookie: cookiesOf(url) },
          ...(form ? { body: form } : {}),
        });
        keep(url, reply.headers);
        const text = await reply.text();
        const location = reply.headers.get('location');
        const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
        if (location !== null) {
          url = new URL(location, url).href;
          form = undefined;
        } else if (action !== undefined && text.includes('name="prompt"')) {
          url = new URL(action, url).href;
          form = new URLSearchParams(text.includes('name="login"') ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' });
        } else {
          return { url, status: reply.status, text };
        }
      }
      throw new Error(`the sign-in goes in circles, at last to ${url}`);
    },
  };
}
