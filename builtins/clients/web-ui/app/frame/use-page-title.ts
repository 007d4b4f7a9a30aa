// Sets the title of the window: the chat or page, then the product.
import { useEffect } from 'react';
import { countedTitle, type Pending } from '../attention/attention.ts';
import { useRoute } from '../kit/hooks.ts';
import { pageAt } from '../points/contribution.ts';
import { usePages } from '../points/use-contributions.ts';
import { useShell } from '../kit/shell-context.ts';
import { t } from '../kit/t.ts';

export function usePageTitle(chatTitle: string | undefined, pending: Pending): void {
  const { brand } = useShell();
  const route = useRoute();
  const pages = usePages();
  const name = route.page === 'chat' ? chatTitle : t(pageAt(pages, route)?.title ?? '');
  useEffect(() => {
    document.title = countedTitle(name === undefined || name === '' ? brand : `${name} – ${brand}`, pending);
  }, [name, brand, pending]);
}
