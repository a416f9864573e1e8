import { useData } from "vitepress";
import { computed } from "vue";
import { data } from "./space.data";

/** What the page may show of others, and the value of a datasource's entry, in the language of the page. */
export function useSpace() {
  const { lang } = useData();
  const here = computed(() => data.languages[lang.value] ?? { home: "/", menu: [], articles: [] });
  const entry = (datasource: string, name: string) => {
    const found = data.datasources[datasource]?.find((one) => one.name === name || one.value === name);
    return found?.dimensions[lang.value.toLowerCase()] ?? found?.value ?? name;
  };
  return { here, entry };
}
