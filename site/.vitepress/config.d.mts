declare const site: { readonly themeConfig: { readonly sidebar: readonly unknown[] } }
export default site
