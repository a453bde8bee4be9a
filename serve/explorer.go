package serve

import (
	"cmp"
	"net/http"

	"sabine/serve/explorer"
)

// answerHome answers with the page of the search.
func answerHome(x *exchange) representation { return x.shell(&explorer.View{Title: siteTitle}) }

// answerProduct answers with the page of a product.
func answerProduct(x *exchange) representation {
	r := x.shell(&explorer.View{Title: siteTitle, Root: ".."})
	if x.generation != nil {
		if _, known := x.generation.Lookup(x.target); !known {
			r.status, r.hash = http.StatusNotFound, ""
		}
	}
	return r
}

// answerComparisonPage answers with the page that lays products over each other.
func answerComparisonPage(x *exchange) representation {
	return x.shell(&explorer.View{Title: siteTitle})
}

// answerRoom answers with the page of a room.
func answerRoom(x *exchange) representation { return x.shell(&explorer.View{Title: siteTitle}) }

// siteTitle is the title of pages that are of no product.
const siteTitle = "sabine"

// textHTML is the media type of the shell.
var textHTML = []string{"text/html; charset=utf-8"}

// shell renders the shell with a view, of which it fills in what all have in common. Its addresses are relative, so that pages
// work under whatever prefix a proxy gives them.
func (x *exchange) shell(v *explorer.View) representation {
	v.Lang, v.Root = "de", cmp.Or(v.Root, ".")
	v.API = v.Root + x.server.base
	v.ImageOrigins, v.PublicDetail = x.server.imageOrigins, x.server.publicDetail
	x.body = explorer.Append(x.body, v)
	return representation{body: x.body, hash: hashOf(x.body), mediaType: textHTML, describe: func(h http.Header) {
		h["Content-Security-Policy"] = x.server.policy
		h["Referrer-Policy"] = referrerPolicy
	}}
}

// referrerPolicy keeps what somebody looks at from the sites that the explorer links to.
var referrerPolicy = []string{"same-origin"}
