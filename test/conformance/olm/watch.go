package olm

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Watch records the states of an extension until the returned function is called, which returns those that are not as
// wanted, and the deletion of the extension. The API server sends every change, so no short state is missed, except while
// the definition of the kind changes: then the API server ends the watch, and the state is read again.
func (c *Cluster) Watch(ctx context.Context, name string, wanted func(Extension) bool) (stop func() []string) {
	// The context of a test ends before its clean-up calls the returned function.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &recorder{cluster: c, name: name, wanted: wanted}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil && len(r.unwanted) < enough {
			r.record(ctx)
		}
	}()
	return func() []string {
		cancel()
		<-done
		return r.unwanted
	}
}

// enough unwanted states end the recording.
const enough = 100

type recorder struct {
	cluster  *Cluster
	name     string
	wanted   func(Extension) bool
	unwanted []string
}

// record reads the state, and follows its changes until the watch or the context ends.
func (r *recorder) record(ctx context.Context) {
	selector := metav1.ListOptions{FieldSelector: "metadata.name=" + r.name}
	resource := r.cluster.objects.Resource(extensions)
	list, err := resource.List(ctx, selector)
	if err != nil {
		r.add(ctx, err.Error())
		return
	}
	if len(list.Items) == 0 {
		r.add(ctx, "missing")
	}
	for i := range list.Items {
		r.state(ctx, "read", &list.Items[i])
	}
	selector.ResourceVersion = list.GetResourceVersion()
	events, err := resource.Watch(ctx, selector)
	if err != nil {
		r.add(ctx, err.Error())
		return
	}
	defer events.Stop()
	for event := range events.ResultChan() {
		switch event.Type {
		case watch.Error: // the watch ends
		case watch.Deleted:
			r.add(ctx, "deleted")
		default:
			r.state(ctx, string(event.Type), event.Object)
		}
	}
}

func (r *recorder) state(ctx context.Context, event string, object runtime.Object) {
	u, ok := object.(*unstructured.Unstructured)
	if !ok {
		r.add(ctx, fmt.Sprintf("%s: %v", event, object))
		return
	}
	e, err := decode(u)
	switch {
	case err != nil:
		r.add(ctx, err.Error())
	case !r.wanted(e):
		r.add(ctx, event+": "+e.String())
	}
}

// add records something unwanted. What a request reports that is interrupted by the end is not.
func (r *recorder) add(ctx context.Context, text string) {
	if ctx.Err() == nil {
		r.unwanted = append(r.unwanted, text)
	}
}
